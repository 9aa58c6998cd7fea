"""The machine that Ruleplay runs on: loopback addresses, processes, logs, findings of `doctor`."""
