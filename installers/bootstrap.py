"""Sotto's two commands, on a fresh machine with only Python and git: `bootstrap.py run` and `bootstrap.py test`.

This file is kept to what any Python can read, so that an old one gets a sentence instead of a syntax error.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this is the line that tells an older Python
    sys.exit(
        "Sotto needs Python 3.11 or newer, and this is Python %d.%d. Install a newer one (from python.org or your system's"  # noqa: UP031
        " packages) and start this command with it, for example: python3.12 installers/bootstrap.py run" % sys.version_info[:2]
    )

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from installers.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
