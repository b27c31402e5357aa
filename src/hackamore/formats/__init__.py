"""How models ask for tools: one format a module, all pure (text in, events out)."""
