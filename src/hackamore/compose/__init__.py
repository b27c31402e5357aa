"""Where everything is put together; the only reader of the environment."""
