"""edgevox: an offline voice assistant that lives in a terminal, and the framework its assistants are written in."""

import logging

# A program that sets up no logging gets no tracebacks of faults that were dealt with; one that does gets all.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__version__ = "0.1.0"
