"""``python -m hackamore``."""

import sys

from hackamore.cli.main import main

sys.exit(main())
