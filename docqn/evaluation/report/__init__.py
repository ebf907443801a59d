"""The report: the paper's tables and figures with ours beside them, from traces alone."""
