"""Runs ``headwater run-algorithm`` and extracts the result from its output."""
import json
import os
import shlex
import subprocess
import sys
import threading

RESULT_START = "===RESULT_JSON_START==="
RESULT_END = "===RESULT_JSON_END==="

# Maximum size of a result, which contains no pixels. Programs that read results have this limit too.
MOST_BYTES = 64 * 1024 * 1024
# Maximum bytes of a log line, because a library may print text without line ends.
LONGEST_LINE = 64 * 1024
PIECE_BYTES = 64 * 1024
# Time for a command to stop after SIGTERM, s.
STOP_SECONDS = 10


class AlgorithmError(RuntimeError):
    """An algorithm failed or printed no valid result. The message is the reason, usually the last line of the log."""


def run_algorithm(name, parameters, log=None):
    """Runs one algorithm and returns its result as a dictionary.

    ``parameters``: names as in the workflow files; parameters that are None are left out. ``log`` is called with each log line of the algorithm;
    by default the lines go to stderr. Raises AlgorithmError if the algorithm fails or prints no result.
    """
    present = {key: value for key, value in parameters.items() if value is not None}
    # Parameters are sent on stdin. Other users can see the arguments of processes, and the run's token is a secret.
    text = json.dumps(present)
    scanner, last = _call(["run-algorithm", name, "--parameters", "-"], text, log or _to_stderr)
    return scanner.result(last)


def list_algorithms():
    """Returns the parameters of every algorithm: ``{name: [parameter, ...]}``."""
    scanner, last = _call(["run-algorithm", "--list"], "", lambda line: None)
    listed = scanner.result(last)
    return {each["name"]: [parameter["name"] for parameter in each["parameters"]] for each in listed["algorithms"]}


def _to_stderr(line):
    print(line, file=sys.stderr, flush=True)


def _command():
    setting = os.environ.get("HEADWATER_COMMAND", "")
    try:
        command = shlex.split(setting)
    except ValueError as error:
        raise AlgorithmError(
            "HEADWATER_COMMAND: %r is not a valid shell command (%s): close each quotation mark" % (setting, error)
        ) from error
    return command or ["headwater"]


def _call(arguments, text, log):
    """Runs the command; returns its output and the last line of its log. Raises AlgorithmError if its exit code is not 0."""
    command = _command()
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command + arguments, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise AlgorithmError(
            "the command %s cannot be run (%s): install Headwater here, or set its command in HEADWATER_COMMAND"
            % (command[0], error.strerror)
        ) from error
    last_lines = []
    scanner = _Scanner(log)
    reader = threading.Thread(target=_follow, args=(process.stderr, log, last_lines), daemon=True)
    reader.start()
    try:
        _send(process, text)
        for line in _lines(process.stdout, scanner.room):
            scanner.take(line)
        code = process.wait()
    except BaseException:
        _stop(process)
        raise
    finally:
        reader.join(STOP_SECONDS)
        process.stdout.close()
    last = last_lines[0] if last_lines else ""
    if code != 0:
        how = "was ended by signal %d" % -code if code < 0 else "ended with exit code %d" % code
        raise AlgorithmError(last or "%s %s without a log line" % (command[0], how))
    return scanner, last


def _send(process, text):
    try:
        process.stdin.write(text.encode("utf-8"))
        process.stdin.close()
    except BrokenPipeError:
        # The command ended early; its exit code and last log line explain why.
        pass


class _Line:
    """A line without its line end. ``size``: number of bytes; ``is_cut``: True if the rest of the line was dropped."""

    def __init__(self, kept, is_cut=False):
        self.size, self.is_cut = len(kept), is_cut
        self.text = kept.decode("utf-8", "replace").rstrip("\r\n")

    def shown(self):
        return self.text + " [cut]" if self.is_cut else self.text


def _lines(stream, room):
    """Yields the lines of a stream. ``room()`` returns the maximum bytes of the next line; a longer line is cut and yielded immediately."""
    kept, most, is_cut = bytearray(), room(), False
    for piece in iter(lambda: stream.readline(PIECE_BYTES), b""):
        ends = piece.endswith(b"\n")
        if not is_cut:
            kept += piece
            is_cut = len(kept) > most
            if is_cut or ends:
                yield _Line(kept[:most], is_cut)
                kept = bytearray()
        if ends:
            most, is_cut = room(), False
    if kept:
        yield _Line(kept)


def _follow(stream, log, last_lines):
    with stream:
        for line in _lines(stream, lambda: LONGEST_LINE):
            if line.text.strip():
                last_lines[:] = [line.shown().strip()]
            log(line.shown())


def _stop(process):
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _Scanner:
    """Extracts the block between the markers from lines; all other lines are logged."""

    def __init__(self, log):
        self._log = log
        self._open = None
        self._blocks = []
        self._size = 0

    def room(self):
        """Maximum bytes of the next line."""
        return LONGEST_LINE if self._open is None else MOST_BYTES - self._size

    def take(self, line):
        mark = None if line.is_cut else line.text.strip()
        if mark == RESULT_START and self._open is None:
            self._open = []
        elif mark == RESULT_END and self._open is not None:
            self._blocks.append("\n".join(self._open))
            self._open = None
        elif self._open is None:
            self._log(line.shown())
        else:
            self._size += line.size
            if line.is_cut or self._size > MOST_BYTES:
                raise AlgorithmError("the result has more than %d bytes: it is discarded" % MOST_BYTES)
            self._open.append(line.text)

    def result(self, last):
        if self._open is not None:
            raise AlgorithmError("the output ends within the result: the command was stopped while it printed")
        if len(self._blocks) != 1:
            count = "no result" if not self._blocks else "%d results" % len(self._blocks)
            raise AlgorithmError("the command printed %s between %s and %s; %s" % (count, RESULT_START, RESULT_END, last))
        try:
            value = json.loads(self._blocks[0])
        except ValueError as error:
            raise AlgorithmError("the printed result is not JSON: %s" % error) from error
        if not isinstance(value, dict):
            raise AlgorithmError("the printed result is not a JSON object")
        return value
