"""What the trained readers are made of: folders, tokens, windows, spans, ONNX graphs and calibration. No torch."""
