"""What all tests share: how Hypothesis draws its examples, and that an interrupt interrupts."""

import os
import signal

from hypothesis import settings

# No deadline: how long one example takes says more about the machine than about the code.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# A script that runs the tests in the background has them ignore interrupts, and so what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
