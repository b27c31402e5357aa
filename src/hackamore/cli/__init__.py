"""The command line: one file a command. Begin with `main`."""
