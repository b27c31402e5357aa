"""Patterns of addresses in resource descriptors, such as ``https://*.example.com/docs/**``."""

from urllib.parse import SplitResult, unquote, urlsplit

from hackamore.core.glob import matches

_PORTS = {"http": 80, "https": 443}


def url_matches(pattern: str, url: str) -> bool:
    """Return whether `url` is meant: same scheme, host, port, and a path that fits.

    ``*.host`` means its subdomains. An address with a user, dot segments, backslashes or
    characters that cannot be seen fits no pattern.
    """
    try:
        wanted, got = urlsplit(pattern), urlsplit(url)
        same_place = _place(wanted) == _place(got) or _below(wanted, got)
    except ValueError:
        return False
    if not same_place or not _plain(url, got):
        return False
    path = got.path.lstrip("/")
    return wanted.path == "/**" or matches(wanted.path.lstrip("/"), path)


def _place(url: SplitResult) -> tuple[str, str | None, int | None]:
    return url.scheme, url.hostname, url.port or _PORTS.get(url.scheme)


def _below(wanted: SplitResult, got: SplitResult) -> bool:
    """Whether `wanted` names subdomains, and `got` is one."""
    host, name = wanted.hostname or "", got.hostname or ""
    same = _place(wanted)[::2] == _place(got)[::2]
    return same and host.startswith("*.") and name.endswith(host[1:]) and name != host[1:]


def _plain(url: str, parts: SplitResult) -> bool:
    if "@" in parts.netloc or "\\" in url or not url.isascii() or not url.isprintable():
        return False
    path = unquote(unquote(parts.path))
    return " " not in url and not {".", ".."} & set(path.replace("\\", "/").split("/"))
