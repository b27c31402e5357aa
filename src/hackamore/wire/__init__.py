"""What travels between processes, as pure functions: no sockets, no pipes."""
