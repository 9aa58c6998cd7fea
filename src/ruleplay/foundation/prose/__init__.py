"""Prose from a model, checked sentence by sentence against the record: the gate and its reader."""
