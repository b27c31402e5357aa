"""Private addresses are out, however they are wrapped, unless a person named the host."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.errors import ConfigError
from hackamore.core.web import FetchError
from hackamore.web.rules import HostRules, is_public

_PRIVATE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.9",
    "192.0.0.10",
    "192.0.0.200",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.168.1.1",
    "192.175.48.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:1::1",
    "2620:4f:8000::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
_PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"]
_v4 = st.ip_addresses(v=4)


@pytest.mark.req("SBX-01")
@pytest.mark.parametrize("address", _PRIVATE)
def test_an_address_that_is_not_of_the_internet_is_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    with pytest.raises(FetchError):
        HostRules().check_address("example.com", ipaddress.ip_address(address))


@pytest.mark.req("SBX-01")
@pytest.mark.parametrize("address", _PUBLIC)
def test_a_public_address_is_reached(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.req("SBX-01")
@given(_v4)
def test_wrapping_an_address_never_makes_it_public(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    wrapped = [
        ipaddress.IPv6Address((0xFFFF << 32) | number),
        ipaddress.IPv6Address((0x0064FF9B << 96) | number),
        ipaddress.IPv6Address((0x2002 << 112) | (number << 80)),
    ]
    for one in wrapped:
        assert is_public(one) == is_public(address)


@pytest.mark.req("SBX-01")
def test_named_hosts_are_the_only_ones() -> None:
    rules = HostRules(["docs.example.com", "*.example.org", "127.0.0.1", "[::1]"])
    for host in ("docs.example.com", "a.example.org", "a.b.example.org", "127.0.0.1", "::1"):
        rules.check_host(host)
    for host in ("example.com", "example.org", "badexample.org", "a.docs.example.com"):
        with pytest.raises(FetchError):
            rules.check_host(host)


@pytest.mark.req("SBX-01")
def test_only_the_exact_name_opens_a_private_address() -> None:
    rules = HostRules(["box.example", "*.example.org"])
    private = ipaddress.ip_address("10.0.0.1")
    rules.check_address("box.example", private)
    with pytest.raises(FetchError):
        rules.check_address("a.example.org", private)


@pytest.mark.req("SBX-01")
@pytest.mark.parametrize("pattern", ["", "*", "*.", "http://a.example", "a b", "a.*.example"])
def test_a_pattern_that_names_no_host_is_an_error_of_the_configuration(pattern: str) -> None:
    with pytest.raises(ConfigError):
        HostRules([pattern])
