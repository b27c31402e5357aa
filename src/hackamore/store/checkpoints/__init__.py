"""Checkpoints of a workspace, kept outside it. Begin with `store`."""
