"""What all tests share: how Hypothesis draws its examples."""

import os

from hypothesis import settings

# No deadline: how long one example takes says more about the machine than about the code.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
