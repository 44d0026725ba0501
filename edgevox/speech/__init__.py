"""Voice activity, speech to text and text to speech.

Knows how sound becomes words and words become sound. Does not know what they mean, nor where sound comes from.
"""
