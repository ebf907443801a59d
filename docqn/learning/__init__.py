"""Training. Only here and in `network` is torch imported."""
