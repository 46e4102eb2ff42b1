"""A function for each algorithm: ``from headwater_algorithms.algorithms import lulc_for_tehsil``.

A function takes its parameters by name and returns the result as a dictionary; log lines go to stderr. It prints nothing itself, because programs
that import it print its result between their own markers. Those programs inspect a function's parameters before they call it, so each function has
the parameters that ``headwater run-algorithm --list`` names.
"""
import inspect

from .runner import list_algorithms, run_algorithm

# Parameters of every algorithm that identify the run to the service.
RUN_PARAMETERS = ("job_id", "run_token", "execution_id")

_known = {}


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if not _known:
        _known.update({each: _function(each, names) for each, names in list_algorithms().items()})
    if name in _known:
        return _known[name]
    raise AttributeError("%s is not an algorithm; the algorithms are %s" % (name, ", ".join(sorted(_known))))


def __dir__():
    return sorted([*globals(), *_known])


def _function(name, names):
    def algorithm(**parameters):
        return run_algorithm(name, parameters)

    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter(each, keyword, default=None) for each in dict.fromkeys([*names, *RUN_PARAMETERS])]
    others = inspect.Parameter("others", inspect.Parameter.VAR_KEYWORD)
    algorithm.__name__ = algorithm.__qualname__ = name
    algorithm.__doc__ = "Runs the algorithm %s; see the module." % name
    algorithm.__signature__ = inspect.Signature([*own, others])
    return algorithm
