"""The agent: it thinks, acts and observes. Begin with `loop`, then `act`.

It knows models, formats, tools and people only by the ports in `hackamore.core`.
"""
