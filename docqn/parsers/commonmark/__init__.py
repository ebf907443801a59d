"""CommonMark as the Markdown parser needs it: markdown-it's rules, with the results taken off them in passing."""
