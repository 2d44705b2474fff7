"""Runs the command line: `python -m omoide`."""

import sys

from omoide.interfaces.cli import main

sys.exit(main())
