"""Runs ``headwater run-algorithm`` and takes the one result out of what it prints."""
import json
import os
import shlex
import subprocess
import sys
import threading

RESULT_START = "===RESULT_JSON_START==="
RESULT_END = "===RESULT_JSON_END==="

# A result holds Items, not pixels: one of more characters than this is a fault, and must not fill the memory of a worker.
MOST_CHARACTERS = 256 * 1024 * 1024
# How long a command that was told to stop may take to put its work away, seconds.
STOP_SECONDS = 10


class AlgorithmError(RuntimeError):
    """An algorithm failed; the message is the last line that it told."""


def run_algorithm(name, parameters, log=None):
    """Runs one algorithm and returns its result as a dictionary.

    ``parameters``: names as in the workflow files; those that are None are left out. ``log`` gets each line that the algorithm tells
    while it works; by default it goes to stderr. Raises AlgorithmError where the algorithm fails or prints no result.
    """
    given = {key: value for key, value in parameters.items() if value is not None}
    # On stdin, because the run's token is none of the business of whoever may list processes, and arguments have a limit.
    text = json.dumps(given)
    scanner, last = _call(["run-algorithm", name, "--parameters", "-"], text, log or _to_stderr)
    return scanner.result(last)


def list_algorithms():
    """The parameters of every algorithm: ``{name: [parameter, ...]}``."""
    scanner, last = _call(["run-algorithm", "--list"], "", lambda line: None)
    listed = scanner.result(last)
    return {each["name"]: [parameter["name"] for parameter in each["parameters"]] for each in listed["algorithms"]}


def _to_stderr(line):
    print(line, file=sys.stderr, flush=True)


def _command():
    command = shlex.split(os.environ.get("HEADWATER_COMMAND", ""))
    return command or ["headwater"]


def _call(arguments, text, log):
    """Runs the command; gives what it printed and the last line that it told. Raises AlgorithmError where its exit code is not 0."""
    command = _command()
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command + arguments, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise AlgorithmError(
            "the command %s cannot be run (%s): install Headwater here, or name its command in HEADWATER_COMMAND"
            % (command[0], error.strerror)
        ) from error
    told = []
    scanner = _Scanner(log)
    reader = threading.Thread(target=_follow, args=(process.stderr, log, told), daemon=True)
    reader.start()
    try:
        _send(process, text)
        for line in _lines(process.stdout):
            scanner.take(line)
        code = process.wait()
    except BaseException:
        _stop(process)
        raise
    finally:
        reader.join(STOP_SECONDS)
        process.stdout.close()
    last = told[0] if told else ""
    if code != 0:
        how = "was ended by signal %d" % -code if code < 0 else "ended with exit code %d" % code
        raise AlgorithmError(last or "%s %s and told nothing" % (command[0], how))
    return scanner, last


def _send(process, text):
    try:
        process.stdin.write(text.encode("utf-8"))
        process.stdin.close()
    except BrokenPipeError:
        # It ended before it read: its exit code and its last line tell why.
        pass


def _lines(stream):
    for line in iter(stream.readline, b""):
        yield line.decode("utf-8", "replace").rstrip("\r\n")


def _follow(stream, log, told):
    with stream:
        for line in _lines(stream):
            if line.strip():
                told[:] = [line.strip()]
            log(line)


def _stop(process):
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _Scanner:
    """Takes the block between the markers out of lines; whatever else is printed is told as a line of the log."""

    def __init__(self, log):
        self._log = log
        self._open = None
        self._blocks = []
        self._size = 0

    def take(self, line):
        if line.strip() == RESULT_START and self._open is None:
            self._open = []
        elif line.strip() == RESULT_END and self._open is not None:
            self._blocks.append("\n".join(self._open))
            self._open = None
        elif self._open is None:
            self._log(line)
        else:
            self._size += len(line)
            if self._size > MOST_CHARACTERS:
                raise AlgorithmError("the result has more than %d characters: nothing of it is taken" % MOST_CHARACTERS)
            self._open.append(line)

    def result(self, last):
        if self._open is not None:
            raise AlgorithmError("the output ends within the result: the command was stopped while it printed")
        if len(self._blocks) != 1:
            count = "no result" if not self._blocks else "%d results" % len(self._blocks)
            raise AlgorithmError("the command printed %s between %s and %s; %s" % (count, RESULT_START, RESULT_END, last))
        try:
            value = json.loads(self._blocks[0])
        except ValueError as error:
            raise AlgorithmError("what the command printed as its result is no JSON: %s" % error) from error
        if not isinstance(value, dict):
            raise AlgorithmError("what the command printed as its result is no object")
        return value
