"""What all tests share."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None)
settings.register_profile(
    "soak", deadline=None, max_examples=3000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as the product does."""
    return "asyncio"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test that carries no requirement."""
    nameless = [item.nodeid for item in items if not any(item.iter_markers("req"))]
    if nameless:
        raise pytest.UsageError("Tests without @pytest.mark.req(id): " + ", ".join(nameless))
