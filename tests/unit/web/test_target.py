"""Every host has one spelling; what can be read in two ways is refused."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.web import FetchError
from hackamore.web.target import host_of, target_of

_SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "\uff11\uff12\uff17.0.0.1",
    "127\u30020\u30020\u30021",
]


@pytest.mark.req("SBX-01", "TOOL-01")
@pytest.mark.parametrize("spelling", _SPELLINGS)
def test_every_spelling_of_an_address_is_that_address(spelling: str) -> None:
    assert target_of(f"http://{spelling}/").host == "127.0.0.1"


@pytest.mark.req("SBX-01")
@given(st.integers(0, 2**32 - 1), st.sampled_from(["{:d}", "0x{:x}", "0{:o}"]))
def test_any_number_is_the_address_that_browsers_make_of_it(number: int, form: str) -> None:
    if number or form != "0{:o}":
        assert host_of(form.format(number)) == str(ipaddress.IPv4Address(number))


@pytest.mark.req("SBX-01")
@given(st.text(max_size=40))
def test_any_text_is_a_host_in_its_own_spelling_or_refused(text: str) -> None:
    try:
        host = host_of(text)
    except FetchError:
        return
    assert host.isascii()
    assert host_of(host) == host


@pytest.mark.req("SBX-01", "TOOL-01")
@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "example.com",
        "http://",
        "http://user@example.com/",
        "http://user:word@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://example.com/a b",
        "http://exam\nple.com/",
        "http://exa%6Dple.com/",
        "http://[fe80::1%25eth0]/",
        "http://[::1/",
        "http://[127.0.0.1]/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://a..b/",
        "http://-a.example/",
        "http://example.com:0/",
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://xn--/",
        "http://" + "a" * 64 + ".com/",
    ],
)
def test_what_is_no_clear_address_is_refused(url: str) -> None:
    with pytest.raises(FetchError):
        target_of(url)


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("HTTP://EXAMPLE.com", "http://example.com/"),
        ("https://example.com:443/a?b=c#d", "https://example.com/a?b=c"),
        ("https://example.com:8443", "https://example.com:8443/"),
        ("http://[0:0::1]:80/", "http://[::1]/"),
        ("https://bücher.example/straße?q=ä", "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%A4"),
        ("https://example.com/%20a", "https://example.com/%20a"),
    ],
)
def test_a_url_is_sent_in_one_spelling(url: str, sent: str) -> None:
    assert target_of(url).url == sent
