"""Microphone, loudspeaker and the echo between them.

Knows devices, rates and rings of samples. Does not know words.
"""
