"""Other systems: events and devices beyond this process."""
