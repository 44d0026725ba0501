"""Where a package of a registry lies and what its bytes must hash to.

Knows the simple index of Python packages (PEP 503, 691, 700) and the npm registry. Downloads nothing but their pages. A
mirror that `pip` or `npm` is set to by the environment is used here too.
"""

import base64
import json
import os
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any, Literal, cast
from urllib.parse import quote, unquote, urljoin, urlsplit

from edgevox.config.catalogue import Package
from edgevox.config.download import Downloader, RemoteFile
from edgevox.config.network import SourceFault, host_of

PYPI = "https://pypi.org/simple"
NPM = "https://registry.npmjs.org"
PYPI_VARIABLES = ("EDGEVOX_PYPI_INDEX", "PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL")
NPM_VARIABLES = ("EDGEVOX_NPM_REGISTRY", "NPM_CONFIG_REGISTRY", "npm_config_registry")
SIMPLE_JSON = "application/vnd.pypi.simple.v1+json"


def locate(registry: Literal["pypi", "npm"], package: Package, downloader: Downloader) -> RemoteFile:
    """Return where a package's archive lies.

    Raises:
        SourceFault: the registry does not have it, does not answer, or states no digest.
    """
    finders: dict[str, Callable[[Package, Downloader], RemoteFile]] = {"pypi": _on_pypi, "npm": _on_npm}
    return finders[registry](package, downloader)


def _base(variables: tuple[str, ...], default: str) -> str:
    return next((os.environ[name] for name in variables if os.environ.get(name)), default).rstrip("/")


def _on_pypi(package: Package, downloader: Downloader) -> RemoteFile:
    name = re.sub(r"[-_.]+", "-", package.name).lower()
    url = f"{_base(PYPI_VARIABLES, PYPI)}/{name}/"
    answer = downloader.get(url, f"{SIMPLE_JSON}, text/html;q=0.1")
    if "json" in answer.headers.get("Content-Type", ""):
        files = _json_files(answer.text, url)
    else:
        files = _html_files(answer.text)
    start = f"{name.replace('-', '_')}-{package.version}-".lower()
    wheels = [file for file in files if file["filename"].lower().startswith(start) and not file.get("yanked")]
    wheels.sort(key=lambda file: file.get("size") != package.size)
    if not wheels:
        raise SourceFault(f"{host_of(url)} has no wheel of {package.name} {package.version}")
    return _remote(wheels[0], url, package)


def _remote(file: dict[str, Any], url: str, package: Package) -> RemoteFile:
    digest = str(file.get("hashes", {}).get("sha256", ""))
    if not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise SourceFault(f"{host_of(url)} states no SHA-256 for {package.name} {package.version}")
    size = file.get("size")
    return RemoteFile(
        url=urljoin(url, str(file["url"])), size=size if isinstance(size, int) else None, digest=bytes.fromhex(digest)
    )


def _json_files(text: str, url: str) -> list[dict[str, Any]]:
    try:
        files = json.loads(text)["files"]
        return [file for file in files if isinstance(file["filename"], str) and isinstance(file["url"], str)]
    except (ValueError, KeyError, TypeError) as error:
        raise SourceFault(f"{host_of(url)} answered with something that is no package index") from error


def _html_files(text: str) -> list[dict[str, Any]]:
    page = _Anchors()
    page.feed(text)
    return page.files


class _Anchors(HTMLParser):
    """The links of a simple index page: the name at the end of the path, the digest in the fragment (PEP 503)."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[dict[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        href = attributes.get("href")
        if tag != "a" or not href:
            return
        parts = urlsplit(href)
        algorithm, _, digest = parts.fragment.partition("=")
        self.files.append({
            "filename": unquote(parts.path.rsplit("/", 1)[-1]),
            "url": href.partition("#")[0],
            "hashes": {algorithm: digest},
            "yanked": "data-yanked" in attributes,
        })  # fmt: skip


def _on_npm(package: Package, downloader: Downloader) -> RemoteFile:
    url = f"{_base(NPM_VARIABLES, NPM)}/{quote(package.name, safe='@')}/{quote(package.version)}"
    answer = downloader.get(url, "application/json")
    try:
        dist = cast("dict[str, str]", json.loads(answer.text)["dist"])
        tarball, integrity = dist["tarball"], dist["integrity"]
        algorithm, _, encoded = integrity.split()[0].partition("-")
        digest = base64.b64decode(encoded, validate=True)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SourceFault(f"{host_of(url)} states no address or digest for {package.name}") from error
    if algorithm not in {"sha256", "sha384", "sha512"}:
        raise SourceFault(f"{host_of(url)} states a digest for {package.name} that is not checked here ({algorithm})")
    return RemoteFile(url=urljoin(url, tarball), algorithm=algorithm, digest=digest)
