"""Settings, paths, model sources and files that are written whole or not at all.

Knows where things are on this machine. Does not know what a model or a device is used for.
"""
