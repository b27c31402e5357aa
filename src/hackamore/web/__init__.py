"""The broker to the web: judges an address, reads the page, and makes text of it."""
