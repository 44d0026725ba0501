"""Secrets are covered wherever they may stand in a text, and innocent words are not."""

import json
import logging
import sys
import urllib.parse
from typing import Any

import pytest

from edgevox.core.redaction import (
    REDACTED,
    RedactingFormatter,
    Secrets,
    is_secret_name,
    redacted,
    redacted_value,
    remember_environment,
    remember_secret,
    without_known,
)
from edgevox.core.tools import ToolCallResult

ODD = 'pa\'ss \\ "w/ord" ünï+& 42'
"""A secret that every notation spells differently."""


@pytest.mark.parametrize(
    "text",
    [
        ODD,
        repr(ODD),
        json.dumps(ODD),
        json.dumps(ODD, ensure_ascii=False),
        urllib.parse.quote(ODD),
        urllib.parse.quote(ODD, safe=""),
        urllib.parse.quote_plus(ODD),
        f"{{'key': {ODD!r}}}",
    ],
)
def test_a_known_secret_is_covered_in_every_notation(text: str) -> None:
    secrets = Secrets()
    secrets.remember("ODD_SECRET", ODD)
    covered = secrets.cover(f"before {text} after")
    assert "ünï" not in covered
    assert "w%2Ford" not in covered
    assert "w/ord" not in covered
    assert covered.startswith("before ")
    assert covered.endswith(" after")
    assert secrets.names() == {"ODD_SECRET"}


def test_short_values_and_unknown_words_stay() -> None:
    secrets = Secrets()
    secrets.remember("PIN_SECRET", "on")
    assert secrets.cover("turn on the lamp") == "turn on the lamp"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("GET https://api.host/v1?apikey=CANARY&x=1", f"GET https://api.host/v1?apikey={REDACTED}&x=1"),
        ("https://h/?x=1&api_key=CANARY", f"https://h/?x=1&api_key={REDACTED}"),
        ("https://h/?access_token=CANARY#top", f"https://h/?access_token={REDACTED}#top"),
        ("https://h/?X-Amz-Signature=CANARY'", f"https://h/?X-Amz-Signature={REDACTED}'"),
        ("redirect=https%3A%2F%2Fh%3Fapikey%3DCANARY", f"redirect=https%3A%2F%2Fh%3Fapikey%3D{REDACTED}"),
        ("https://user:CANARY@host/path", f"https://{REDACTED}@host/path"),
        ("postgres://CANARY@host/db", f"postgres://{REDACTED}@host/db"),
        ("Authorization: Bearer CANARY-token", f"Authorization: Bearer {REDACTED}"),
        ("{'Authorization': 'Basic CANARYabc=='}", f"{{'Authorization': 'Basic {REDACTED}'}}"),
        ("x-api-key: CANARY1", f"x-api-key: {REDACTED}"),
        ("sk-CANARY0123456789abcdefghijklmnop", REDACTED),
        ("hf_CANARY0123456789abcdefghijklmnop", REDACTED),
    ],
)
def test_what_stands_where_keys_stand_is_covered(text: str, wanted: str) -> None:
    assert redacted(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "turn the lamp on? yes & no",
        "https://host/path?q=tokens&page=2",
        "mail anna@example.org about the api",
        "the token count is max_tokens=200",
        "https://host:8080/v1#model@8bit",
        "bearer of bad news",
    ],
)
def test_innocent_texts_stay(text: str) -> None:
    assert redacted(text) == text


def test_fields_that_name_a_secret_are_covered_whole_at_any_depth() -> None:
    value: Any = {
        "url": "https://h/?apikey=CANARY",
        "headers": [{"X-Api-Key": "CANARY"}, ("password", "visible")],
        "password": "CANARY",
        "client_secret": "CANARY",
        "accessToken": "CANARY",
        "MY_KEY_SECRET": "CANARY",
        "max_tokens": 20,
        "token_input": 7,
        "key": "kitchen",
        "body": b"...",
        "empty_password": "",
    }
    covered = redacted_value(value)
    assert "CANARY" not in json.dumps(covered, default=str)
    assert (covered["max_tokens"], covered["token_input"], covered["key"]) == (20, 7, "kitchen")
    assert covered["headers"][1] == ("password", "visible")
    assert value["password"] == "CANARY", "the original is not touched"
    clean: Any = {"a": [1, {"b": "c"}]}
    assert redacted_value(clean) is clean


@pytest.mark.parametrize(
    "name",
    ["A_SECRET", "OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID",
     "EDGEVOX_ENV_PASSWORD", "GITHUB_TOKEN", "db_password", "SERVICE_API_KEYS"],
)  # fmt: skip
def test_a_variable_that_holds_a_secret_is_known_by_its_name(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["PATH", "HOME", "KEYBOARD", "TOKENIZERS_PARALLELISM", "MAX_TOKENS", "XAUTHORITY",
                                  "SECRETARY", "CREDENTIALS_DIRECTORY", "HF_TOKEN_PATH"])  # fmt: skip
def test_other_variables_are_not(name: str) -> None:
    assert not is_secret_name(name)


def test_a_record_of_the_log_is_covered_with_its_traceback() -> None:
    remember_environment({"LOG_CANARY_SECRET": "canary-in-the-log", "LOG_PLAIN": "plain-value"})
    try:
        raise ValueError("no such key canary-in-the-log")
    except ValueError:
        fault = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed with %s", ("canary-in-the-log",), fault)
    text = RedactingFormatter("%(message)s").format(record)
    assert "canary-in-the-log" not in text
    assert text.startswith(f"failed with {REDACTED}\nTraceback")


def test_a_private_key_is_covered_line_by_line() -> None:
    secrets = Secrets()
    secrets.remember("KEY_SECRET", "-----BEGIN-----\nMIIBVgIBADANBgkqhkiG9w0BAQEF\nAASCAUAwggE8\n-----END-----")
    assert "MIIBVgIBADANBgkqhkiG9w0BAQEF" not in secrets.cover("line 2: MIIBVgIBADANBgkqhkiG9w0BAQEF")


def test_the_result_of_a_call_never_carries_a_known_secret() -> None:
    remember_secret("RESULT_CANARY_SECRET", "canary-in-a-result")
    leaky = {"env": ["canary-in-a-result"], "n": 1}
    result = ToolCallResult(
        name="t", arguments={"text": "canary-in-a-result"}, result=leaky, error="canary-in-a-result"
    )
    assert "canary" not in repr((result.arguments, result.result, result.error, result.to_block()))
    assert result.result == {"env": [REDACTED], "n": 1}
    url = "https://h/?key=needed-by-the-next-tool"
    assert without_known(url) == url, "what only looks like a secret still reaches the next tool"
