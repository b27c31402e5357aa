"""The web as a run may reach it: by the hosts of the configuration."""

from hackamore.core.config import Config
from hackamore.core.web import Web
from hackamore.web.broker import Broker
from hackamore.web.converter import Converter
from hackamore.web.rules import HostRules


def web_of(config: Config) -> Web:
    """Return the broker for a configuration.

    Raises:
        ConfigError: A pattern in ``sandbox.network_hosts`` is wrong.
    """
    return Broker(HostRules(config.sandbox.network_hosts), Converter())
