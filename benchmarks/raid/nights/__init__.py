"""Synthetic 2.5.6 TBC raid nights with known ground truth, for demo, tests and benchmarks."""
