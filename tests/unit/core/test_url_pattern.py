"""Descriptors of the web: scheme, host, port and path must fit."""

import pytest

from hackamore.core.effects import Effect
from hackamore.core.policy import Action, Allow, Layer, Policy, ResourceDescriptor


@pytest.mark.req("SBX-01")
@pytest.mark.parametrize(
    ("pattern", "url", "covered"),
    [
        ("https://a.org/**", "https://a.org/", True),
        ("https://a.org/**", "https://A.org:443/x/y?q=1", True),
        ("https://a.org/docs/*", "https://a.org/docs/x", True),
        ("https://*.a.org/**", "https://b.a.org/x", True),
        ("https://a.org/docs/**", "https://a.org/other", False),
        ("https://a.org/docs/**", "https://a.org/docs/../other", False),
        ("https://a.org/docs/**", "https://a.org/docs/%2e%2e/other", False),
        ("https://a.org/docs/**", "https://a.org/docs/..%2fother", False),
        ("https://a.org/**", "http://a.org/x", False),
        ("https://a.org/**", "https://a.org:8443/x", False),
        ("https://a.org/**", "https://b.a.org/x", False),
        ("https://a.org/**", "https://a.org@evil.org/x", False),
        ("https://a.org/**", "https://me@a.org/x", False),
        ("https://a.org/**", "https://a.org.evil.org/x", False),
        ("https://*.a.org/**", "https://a.org/x", False),
        ("https://*.a.org/**", "https://evila.org/x", False),
        ("https://a.org/**", "https://a.org:x/", False),
    ],
)
def test_a_web_descriptor_covers_what_fits_it(pattern: str, url: str, covered: bool) -> None:
    descriptor = ResourceDescriptor("http", pattern, frozenset({"network"}))
    action = Action("fetch_url", Effect.NETWORK, url=url)
    verdict = Policy((Layer("the request", descriptors=(descriptor,)),)).judge(action)
    assert (verdict == Allow()) is covered
