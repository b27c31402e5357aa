"""Fakes that are part of the product: a scripted model, a provider, tools of the usual shapes."""
