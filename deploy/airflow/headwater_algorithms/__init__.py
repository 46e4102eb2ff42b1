"""Headwater's algorithms for Python programs: ``python cli.py NAME --key value`` or ``algorithms.NAME(**parameters)``.

Every call runs ``headwater run-algorithm``, so the command ``headwater`` has to be installed on this machine; ``HEADWATER_COMMAND``
names another command. Python 3.8 or later is needed, without any other package.
"""
from .runner import AlgorithmError, list_algorithms, run_algorithm

__all__ = ["AlgorithmError", "list_algorithms", "run_algorithm"]
