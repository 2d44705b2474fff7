"""Three days with an assistant that remembers. Run it with `make demo`; the file stays for you to look into."""

from __future__ import annotations

import os
import sys

from omoide.interfaces.cli.app import run

if __name__ == "__main__":
    sys.exit(run(["demo", os.environ.get("OMOIDE_DEMO", "demo.db")]))
