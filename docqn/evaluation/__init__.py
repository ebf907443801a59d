"""Evaluation: policies over the pairs of a split become traces, and traces become metrics, tables and figures."""
