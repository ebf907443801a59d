"""The parts that the HTML parser is made of."""
