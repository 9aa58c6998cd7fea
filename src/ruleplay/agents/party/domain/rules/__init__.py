"""The combat and character rules (SRD 5.1): they turn an intent into happenings."""
