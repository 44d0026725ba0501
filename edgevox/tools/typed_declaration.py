"""Builds the tool that a typed function declares; `@tool` and `@factory` use it."""

import inspect
from collections.abc import Callable
from typing import Any, Unpack

from edgevox.core.tools import ToolSpec
from edgevox.tools.definition import Tool
from edgevox.tools.edges import Condition, Parents, edges_to
from edgevox.tools.names import checked_name
from edgevox.tools.options import ToolOptions, checked_options, refuse_generators
from edgevox.tools.schema import fields_of, read_model
from edgevox.tools.signature import ToolSignature
from edgevox.tools.typed_signature import read_typed


def build_typed(
    fn: Callable[..., Any],
    *,
    takes_ctx: bool = False,
    name: str | None = None,
    description: str | None = None,
    chained_to: Parents = None,
    chain_condition: Condition | None = None,
    **options: Unpack[ToolOptions],
) -> Tool:
    """Build the tool that a function of the form `(input, messages) -> Value` declares.

    Args:
        fn: the function; a coroutine function is awaited.
        takes_ctx: whether a third parameter `ctx` is filled in later, as a factory's is.
        name: what a model calls it; the function's own name when not given.
        description: what a model is told; the whole docstring when not given.
        chained_to: the tools whose outputs it takes; a tool with parents is offered to no model.
        chain_condition: of the edges that have none of their own.
        options: as `edgevox.tools.options.ToolOptions` says.

    Raises:
        ToolDefinitionError: the function cannot become a typed tool; the sentence names it and says what to change.
    """
    called = checked_name(name or getattr(fn, "__name__", ""), typed=True)
    refuse_generators(fn, called)
    typed = read_typed(fn, called, takes_ctx=takes_ctx)
    edges = edges_to(chained_to, chain_condition, called)
    schema = read_model(called, typed.input_model, offered=not edges)
    spec = ToolSpec(
        name=called,
        description=description if description is not None else _documented(fn),
        input_schema=schema.public,
        secret_fields=tuple(options.get("secret_fields", ())),
    )
    return Tool(
        spec=spec,
        fn=fn,
        input=schema,
        signature=ToolSignature(
            parameters=fields_of(typed.input_model),
            inject=frozenset(),
            handle=None,
            unbound=typed.unbound,
            returns=Any,
        ),
        input_model=typed.input_model,
        output_models=typed.output_models,
        chained_to=edges,
        chain_condition=chain_condition,
        **checked_options(called, schema.fields, **options),
    )


def _documented(fn: Callable[..., Any]) -> str:
    return inspect.cleandoc(fn.__doc__) if fn.__doc__ else ""
