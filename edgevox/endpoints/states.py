"""Which endpoints there are and whether each could be used now: what lists and health reports show.

Describing asks nobody; probing asks each provider once for its models. Never shows a key, only the name of its
variable and whether there is one.
"""

import os
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum

from edgevox.core.errors import EdgeVoxError, SecretsError
from edgevox.endpoints.catalog import Endpoint
from edgevox.endpoints.endpoint import LLMEndpoint
from edgevox.endpoints.local import LocalEndpoint
from edgevox.endpoints.provider import Provider

PROBE_S = 10.0
QUICK_S = 1.0
"""For servers on this machine, which answer at once or not at all."""
PROBES = 8
"""Providers that are asked at the same time."""


class Reach(StrEnum):
    """Whether an endpoint could be used."""

    READY = "ready"
    """Its model is on this machine."""
    UNASKED = "unasked"
    """Nothing is missing; whether the provider answers, nobody has asked."""
    ANSWERS = "answers"
    NO_KEY = "no key"
    NOT_HERE = "not here"
    """The model's files are not on this machine."""
    DOWN = "down"
    """The provider refuses or cannot be reached."""
    NO_MODEL = "no model"
    """The provider answers, and does not list this model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointState:
    """One endpoint, as lists show it."""

    name: str
    """As a person writes it: `groq.whisper_large_v3`."""
    task: str
    """`chat` or `transcription`."""
    model: str
    """What the provider calls the model."""
    where: str
    """Its host, or `this machine`."""
    context: int | None = None
    """Tokens that fit; `None` where that means nothing."""
    key_name: str = ""
    """The variable that holds its key; empty where none is needed."""
    reach: Reach = Reach.READY
    detail: str = ""
    """One sentence on what is missing; empty when nothing is."""
    took_ms: float | None = None
    """How long the provider took to answer; `None` when it was not asked."""


def describe(endpoints: Mapping[str, Endpoint]) -> list[EndpointState]:
    """Return what is known of endpoints without asking anybody, in their order."""
    keys = known_keys()
    return [_described(name, endpoint, keys) for name, endpoint in endpoints.items()]


def probe(
    endpoints: Mapping[str, Endpoint], *, only_here: bool = False, timeout_s: float = PROBE_S
) -> list[EndpointState]:
    """Ask the providers of endpoints for their models, each provider once and several at a time.

    Args:
        endpoints: by name.
        only_here: ask only servers on this machine; the others are described.
        timeout_s: longest wait for one provider, seconds.
    """
    states = describe(endpoints)
    asked: dict[str, Provider] = {}
    for state in states:
        provider = getattr(endpoints[state.name], "provider", None)
        if isinstance(provider, Provider) and state.reach is Reach.UNASKED and (not only_here or provider.is_here):
            asked.setdefault(_account(provider), provider)
    with ThreadPoolExecutor(max_workers=PROBES, thread_name_prefix="probe") as pool:
        running = {account: pool.submit(_ask, provider, timeout_s) for account, provider in asked.items()}
        answers = {account: future.result() for account, future in running.items()}
    return [_judged(state, endpoints[state.name], answers) for state in states]


def known_keys() -> frozenset[str]:
    """Return the names of the keys that are somewhere, without opening anything that is encrypted."""
    from edgevox.endpoints.env import DEFAULT_ENCRYPTED_ENV_PATH, DEFAULT_ENV_PATH
    from edgevox.endpoints.env_files import read_env
    from edgevox.endpoints.keyrings import keyring_names

    names = {name for name, value in os.environ.items() if value.strip()} | set(keyring_names())
    for path in (DEFAULT_ENCRYPTED_ENV_PATH, DEFAULT_ENV_PATH):
        try:
            names |= {name for name, value in read_env(path).items() if value and value.strip()}
        except (OSError, SecretsError):
            continue
        break
    return frozenset(names)


def _described(name: str, endpoint: Endpoint, keys: Iterable[str]) -> EndpointState:
    if isinstance(endpoint, LocalEndpoint):
        failure = endpoint.check()
        state = EndpointState(
            name=name,
            task="chat",
            model=endpoint.model_name,
            where="this machine",
            context=endpoint.max_context_tokens,
        )
        return state if failure is None else replace(state, reach=Reach.NOT_HERE, detail=failure.message)
    provider = endpoint.provider
    key_name = provider.api_key_env or ""
    missing = bool(key_name) and not provider.has_own_key and key_name not in keys
    return EndpointState(
        name=name,
        task="chat" if isinstance(endpoint, LLMEndpoint) else "transcription",
        model=endpoint.model_name,
        where=provider.host,
        context=endpoint.max_context_tokens if isinstance(endpoint, LLMEndpoint) else None,
        key_name=key_name,
        reach=Reach.NO_KEY if missing else Reach.UNASKED,
        detail=f"The key {key_name} is not set: store it with `edgevox secrets set {key_name}`." if missing else "",
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    models: tuple[str, ...] = ()
    trouble: str = ""
    took_ms: float = 0.0


def _account(provider: Provider) -> str:
    return f"{provider.api_name} {provider.base_url}"


def _ask(provider: Provider, timeout_s: float) -> _Answer:
    began = time.monotonic()
    try:
        models = LLMEndpoint(provider, "any").listed_models(QUICK_S if provider.is_here else timeout_s)
    except EdgeVoxError as error:
        return _Answer(trouble=str(error))
    return _Answer(tuple(models), took_ms=(time.monotonic() - began) * 1000)


def _judged(state: EndpointState, endpoint: Endpoint, answers: Mapping[str, _Answer]) -> EndpointState:
    provider = getattr(endpoint, "provider", None)
    answer = answers.get(_account(provider)) if isinstance(provider, Provider) else None
    if answer is None or state.reach is not Reach.UNASKED:
        return state
    if answer.trouble:
        return replace(state, reach=Reach.DOWN, detail=answer.trouble)
    if _is_listed(state.model, answer.models):
        return replace(state, reach=Reach.ANSWERS, took_ms=answer.took_ms)
    detail = f"The server at {state.where} answers and does not list {state.model}: load or pull it there."
    return replace(state, reach=Reach.NO_MODEL, detail=detail, took_ms=answer.took_ms)


def _is_listed(model: str, listed: Iterable[str]) -> bool:
    """Whether a server has a model; one that has a single model answers with it whatever it is asked for."""
    known = list(listed)
    return model in known or (model == "default" and len(known) == 1)
