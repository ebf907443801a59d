"""Small tensors are computed sooner by one thread, above all where others compute too."""

import torch

torch.set_num_threads(1)
