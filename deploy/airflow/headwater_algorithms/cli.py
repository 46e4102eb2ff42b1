"""``python cli.py NAME --key value ...``: runs one algorithm and prints its result.

The result is printed between two markers, and again as the last line. Existing orchestrators read one of these two copies.
``--parameters-env VARIABLE`` reads the parameters as JSON from the environment, which avoids quoting errors.
"""
import json
import os
import signal
import sys

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from headwater_algorithms.runner import RESULT_END, RESULT_START, AlgorithmError, run_algorithm
else:
    from .runner import RESULT_END, RESULT_START, AlgorithmError, run_algorithm

USAGE = "usage: python cli.py NAME [--key value]... [--parameters-env VARIABLE]"


class UsageError(ValueError):
    """The command line is invalid."""


def read_arguments(arguments):
    """Returns the algorithm's name and its parameters."""
    if not arguments or arguments[0].startswith("-"):
        raise UsageError("NAME is missing. %s" % USAGE)
    name, rest = arguments[0], list(arguments[1:])
    parameters = {}
    while rest:
        key = rest.pop(0)
        if not key.startswith("--") or len(key) < 3:
            raise UsageError("%r is not a parameter. %s" % (key, USAGE))
        argument = key
        key, equals, value = key[2:].partition("=")
        if not key:
            raise UsageError("%r names no parameter. %s" % (argument, USAGE))
        if not equals:
            if not rest:
                raise UsageError("--%s has no value. %s" % (key, USAGE))
            value = rest.pop(0)
        if key == "parameters-env":
            parameters.update(_from_environment(value))
        # The text "None" is Python's None that a caller has converted to text; such a parameter is left out.
        elif value != "None":
            parameters[key] = value
    return name, parameters


def _from_environment(variable):
    try:
        value = json.loads(os.environ.get(variable, ""))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise UsageError("--parameters-env: the variable %s does not contain a JSON object" % variable)
    return value


def main(arguments):
    """Runs the command line; returns the exit code."""
    # Without a handler, the first process of a container ignores SIGTERM.
    signal.signal(signal.SIGTERM, _on_stop)
    try:
        name, parameters = read_arguments(arguments)
        result = run_algorithm(name, parameters)
    except UsageError as error:
        return _fail(error, 2)
    except AlgorithmError as error:
        return _fail(error, 1)
    line = json.dumps(result, ensure_ascii=True, separators=(",", ":"))
    # A text in the result may look like a marker, so its first "=" is escaped. A JSON parser reads the escape as "=".
    line = line.replace(RESULT_START[:15], "\\u003d" + RESULT_START[1:15])
    print(RESULT_START, line, RESULT_END, line, sep="\n", flush=True)
    return 0


def _on_stop(number, frame):
    sys.exit(128 + number)


def _fail(error, code):
    """Prints the error as the last line, like a traceback, because orchestrators look for the reason there."""
    sys.stdout.flush()
    text = " ".join(str(error).split())
    kind = "%s.%s" % (type(error).__module__, type(error).__name__)
    print(text if text.startswith("headwater.") else "%s: %s" % (kind, text), file=sys.stderr, flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
