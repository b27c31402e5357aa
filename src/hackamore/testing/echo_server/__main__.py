"""``python -m hackamore.testing.echo_server``."""

import sys

from hackamore.testing.echo_server.command import main

sys.exit(main())
