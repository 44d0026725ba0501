"""Functions that an assistant can run: declaration, schema, registry, dispatch.

Knows how to call a function safely. Does not know who asks for it.
"""
