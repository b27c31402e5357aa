"""Models on this machine: catalogue, download, the process that runs one, and finding servers.

Standard library only; the runtime's child process alone imports `ik_llama_cpp` and numpy.
"""
