"""Networks, in torch. Only training imports them; what is trained runs as ONNX."""
