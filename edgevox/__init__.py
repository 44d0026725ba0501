"""edgevox: an offline voice assistant that lives in a terminal, and the framework its assistants are written in."""

__version__ = "0.1.0"
