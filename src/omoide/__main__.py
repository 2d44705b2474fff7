"""`python -m omoide` is the command line."""

import sys

from omoide.interfaces.cli import main

sys.exit(main())
