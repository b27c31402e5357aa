"""Built-in tools, one file each, over the ports `Workspace` and `Sandbox`.

They read arguments, keep files' manners and bound what a model sees; they open nothing themselves.
"""
