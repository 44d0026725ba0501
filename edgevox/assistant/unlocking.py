"""Asks for the password of encrypted keys before the screen is taken, where an endpoint that was chosen needs one."""

from collections.abc import Iterable

from edgevox.core.errors import EdgeVoxError, SecretsError


def unlock_chosen(specs: Iterable[str | None]) -> str:
    """Make the keys of the chosen endpoints readable, asking a person at the terminal for the password.

    Args:
        specs: models as they were chosen; those that are no endpoints need nothing.

    Returns:
        Why a key cannot be read, in one sentence; empty when all is well or nothing is needed.
    """
    names = list(_keys_of(spec for spec in specs if spec and ("." in spec or "#" in spec)))
    if not names:
        return ""
    from edgevox.endpoints.hidden_input import unlock_for

    try:
        unlock_for(names)
    except SecretsError as error:
        return str(error)
    return ""


def _keys_of(specs: Iterable[str]) -> Iterable[str]:
    from edgevox.endpoints import EndpointDirectory

    directory = EndpointDirectory()
    for spec in specs:
        try:
            found = directory.find(spec.removeprefix("endpoint:"))
        except EdgeVoxError:  # said when the model is opened
            continue
        provider = getattr(found, "provider", None)
        name = getattr(provider, "api_key_env", None)
        if isinstance(name, str) and not getattr(provider, "has_own_key", False):
            yield name
