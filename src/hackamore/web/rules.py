"""Which hosts may be reached: those of the public internet, or those that a person named."""

import ipaddress
from collections.abc import Sequence
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import ConfigError
from hackamore.core.web import FetchError
from hackamore.web.target import IPAddress, host_of

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_NOT_PUBLIC: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            "100.64.0.0/10",  # between a provider and its customers
            "168.63.129.16/32",  # a cloud's own services, at an address that looks public
            "192.0.0.0/24",  # protocols' own
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT
            "192.88.99.0/24",  # 6to4 relays
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "::/96",  # IPv4 addresses in a form long given up
            "64:ff9b:1::/48",  # NAT64 of a local network
            "100::/32",  # where everything is thrown away
            "2001::/23",  # Teredo and other protocols
            "2001:db8::/32",  # examples
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # examples
            "5f00::/16",  # segment routing
            "fec0::/10",  # local to a site
        ),
    )
)
"""Refused whatever `is_global` says, which is not the same in each version of Python."""


class HostRules:
    """The rules of one configuration."""

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        """Take ``host`` and ``*.host``; with none, every public host may be reached.

        Raises:
            ConfigError: One is neither a host nor ``*.host``.
        """
        self._exact = frozenset(_pattern(one) for one in patterns if not one.startswith("*."))
        self._above = tuple(f".{_pattern(one[2:])}" for one in patterns if one.startswith("*."))

    def names(self, host: str) -> bool:
        """Return whether a person named exactly this host: then it may also be a private one."""
        return host in self._exact

    def check_host(self, host: str) -> None:
        """Let a host pass or raise.

        Raises:
            FetchError: Hosts are named, and this is none of them.
        """
        named = self._exact or self._above
        if named and not self.names(host) and not host.endswith(self._above):
            raise FetchError(
                f"{host} may not be reached: sandbox.network_hosts does not name it.",
                code=Code.PERMISSION_DENIED,
            )

    def check_address(self, host: str, address: IPAddress) -> None:
        """Let an address of `host` pass or raise.

        Raises:
            FetchError: It is not of the public internet, and the host was not named.
        """
        if not is_public(address) and not self.names(host):
            raise FetchError(
                f"{host} may not be reached: {address} is not an address of the public internet.",
                hint="A person can name this host in sandbox.network_hosts.",
                code=Code.PERMISSION_DENIED,
            )


def is_public(address: IPAddress) -> bool:
    """Return whether an address, and the one that it wraps, is of the public internet."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return False
        inner = _wrapped(address)
        if inner is not None:
            return is_public(inner)
    if any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _wrapped(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def _pattern(written: str) -> str:
    bare = written.strip().removeprefix("[").removesuffix("]")
    try:
        return host_of(bare)
    except FetchError as error:
        raise ConfigError(
            f"sandbox.network_hosts: {written!r} is neither a host nor '*.host'."
        ) from error
