"""Reading ``config.toml``: strict, with errors that name file, line and key."""
