"""Headwater's algorithms for programs that call Python: ``python cli.py NAME --key value`` or ``algorithms.NAME(**parameters)``.

Every call runs ``headwater run-algorithm``, so the command ``headwater`` has to be installed where this runs; ``HEADWATER_COMMAND``
names another one. No package is needed, and any Python from 3.8 will do.
"""
from .runner import AlgorithmError, list_algorithms, run_algorithm

__all__ = ["AlgorithmError", "list_algorithms", "run_algorithm"]
