"""Runs ``headwater run-algorithm`` and takes the one result out of what it prints."""
import json
import os
import shlex
import subprocess
import sys
import threading

RESULT_START = "===RESULT_JSON_START==="
RESULT_END = "===RESULT_JSON_END==="

# A result holds Items, not pixels: one of more bytes than this is a fault, which those who read results refuse too, and must not fill the memory of a
# worker.
MOST_BYTES = 64 * 1024 * 1024
# A line of the log is cut here: a library may print without ever ending its line.
LONGEST_LINE = 64 * 1024
PIECE_BYTES = 64 * 1024
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
    given = os.environ.get("HEADWATER_COMMAND", "")
    try:
        command = shlex.split(given)
    except ValueError as error:
        raise AlgorithmError(
            "HEADWATER_COMMAND: %r is no command as a shell reads it (%s): close each quotation mark" % (given, error)
        ) from error
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
        for line in _lines(process.stdout, scanner.room):
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


class _Line:
    """A line without its end; ``size``: bytes; ``is_cut``: there was more of it."""

    def __init__(self, kept, is_cut=False):
        self.size, self.is_cut = len(kept), is_cut
        self.text = kept.decode("utf-8", "replace").rstrip("\r\n")

    def told(self):
        return self.text + " [cut]" if self.is_cut else self.text


def _lines(stream, room):
    """The lines of a stream. ``room()`` is asked for the bytes that one may have as it begins; a longer one is cut, and told as soon as it is."""
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


def _follow(stream, log, told):
    with stream:
        for line in _lines(stream, lambda: LONGEST_LINE):
            if line.text.strip():
                told[:] = [line.told().strip()]
            log(line.told())


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

    def room(self):
        """Bytes that the next line may have."""
        return LONGEST_LINE if self._open is None else MOST_BYTES - self._size

    def take(self, line):
        mark = None if line.is_cut else line.text.strip()
        if mark == RESULT_START and self._open is None:
            self._open = []
        elif mark == RESULT_END and self._open is not None:
            self._blocks.append("\n".join(self._open))
            self._open = None
        elif self._open is None:
            self._log(line.told())
        else:
            self._size += line.size
            if line.is_cut or self._size > MOST_BYTES:
                raise AlgorithmError("the result has more than %d bytes: nothing of it is taken" % MOST_BYTES)
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
            raise AlgorithmError("what the command printed as its result is no JSON: %s" % error) from error
        if not isinstance(value, dict):
            raise AlgorithmError("what the command printed as its result is no object")
        return value
