/** What a failing task's log says: the exception's line, and the lines around it. */
export interface Excerpt {
  /** Such as `RuntimeError: export failed: quota exceeded`; null where the log tells no reason. */
  readonly reason: string | null;
  /** At most 40 lines and 8,000 characters. */
  readonly lines: string;
}

const MOST_LINES = 40;
const MOST_CHARACTERS = 8000;
const LONGEST_REASON = 1000;

/**
 * Where the orchestrator itself reports the failure. A task may print "Traceback" of its own, so only these lines count;
 * the first that is found is the task's, a second traceback of the same failure follows it.
 */
const ANCHORS: readonly RegExp[] = [
  /\bERROR - Task failed with exception/,
  /\bERROR - Failed to execute (job|task)\b/,
  /\{standard_task_runner\.py:\d+\} ERROR/,
];
/** Without a traceback: the last line of level ERROR, or how the process ended. */
const ERROR_LINE = /\b(ERROR|CRITICAL) - /;
const EXIT_LINE = /Task exited with return code (?!0\b)-?\d+|Negsignal\.\w+|Marking task as (FAILED|UP_FOR_RETRY)/;

/** A line that the log's own format begins: `[2026-11-20T12:00:00.123+0000] {file.py:12} LEVEL - ...`. */
const FORMATTED = /^\[\d{4}-\d\d-\d\d[T ][^\]]*\] /;
/** `module.Name: message` or `Name`, not indented. */
const EXCEPTION = /^[A-Za-z_][\w.]*(<locals>\.[\w.]+)*(: .*|:)?$/;

/** Finds the reason of a failure in a log, and the lines to show. */
export function excerptOf(log: string): Excerpt {
  const lines = log.split('\n');
  const anchor = firstOf(ANCHORS, lines);
  if (anchor !== undefined) {
    const end = endOfBlock(lines, anchor);
    const reason = lastException(lines.slice(anchor + 1, end));
    if (reason !== undefined && OF_A_COMMAND.test(reason)) return toldByCommand(lines.slice(0, end), reason);
    const start = Math.max(anchor, end - MOST_LINES);
    return { reason: reason ?? messageOf(lines[anchor]), lines: cut(lines.slice(start, end)) };
  }
  const at = lines.findLastIndex((line) => ERROR_LINE.test(line));
  const line = at === -1 ? lines.findLastIndex((each) => EXIT_LINE.test(each)) : at;
  if (line === -1) return { reason: null, lines: cut(lines.slice(-MOST_LINES)) };
  const end = endOfBlock(lines, line);
  const reason = lastException(lines.slice(line + 1, end)) ?? messageOf(lines[line]);
  return { reason, lines: cut(lines.slice(Math.max(0, end - MOST_LINES), end)) };
}

/** What the orchestrator says of a command that it ran: that it failed, and not why. */
const OF_A_COMMAND = /^(\S*\.)?AirflowException: Bash command failed/;
/** A line that a command printed: `{subprocess.py:106} INFO - line`; Airflow 3 names no file. */
const PRINTED = /^\[\d{4}-\d\d-\d\d[T ][^\]]*\] (?:\{subprocess\.py:\d+\} )?INFO - (.*)$/;
/** `module.NameError: message`, as Python and other programs end with. */
const TOLD = /^[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt): \S/;
/** What the orchestrator itself notes of a command, in the same form. */
const NOTED = /^(Running command: |Output:$|Command exited with return code |Tmp dir root location)/;

/** A command tells its reason in what it printed last; the orchestrator's own word of it stays where there is none. */
function toldByCommand(lines: readonly string[], reason: string): Excerpt {
  const printed = lines.flatMap((line) => PRINTED.exec(line)?.[1] ?? []).filter((line) => !NOTED.test(line));
  const told = printed.findLast((line) => TOLD.test(line));
  const shown = [...printed.slice(1 - MOST_LINES), reason];
  return { reason: told?.slice(0, LONGEST_REASON) ?? reason, lines: cut(shown) };
}

function firstOf(patterns: readonly RegExp[], lines: readonly string[]): number | undefined {
  for (const pattern of patterns) {
    // The last try's report: an earlier one in the same file is of another try.
    const at = lines.findLastIndex((line) => FORMATTED.test(line) && pattern.test(line));
    if (at !== -1) return at;
  }
  return undefined;
}

/** Index after the lines that belong to the formatted line at `start`. */
function endOfBlock(lines: readonly string[], start: number): number {
  const next = lines.findIndex((line, index) => index > start && FORMATTED.test(line));
  return next === -1 ? lines.length : next;
}

const TRACEBACK = /^Traceback \(most recent call last\):$/;
/** Python draws an ExceptionGroup as a tree: this line begins it, and each further one stands behind a bar. */
const GROUP = /^\s*\+ Exception Group Traceback \(most recent call last\):$/;
const IN_GROUP = /^\s*\| (\S.*)$/;

/** The last exception of a chain, with all lines of its message. */
function lastException(block: readonly string[]): string | undefined {
  const [last, group] = [
    block.findLastIndex((line) => TRACEBACK.test(line)),
    block.findLastIndex((line) => GROUP.test(line)),
  ];
  const told = group > last ? membersOf(block.slice(group + 1)) : afterFrames(block, last + 1);
  const reason = told.join('\n').trim().slice(0, LONGEST_REASON);
  return reason === '' ? undefined : reason;
}

/** From the first unindented line behind the frames on; its message may go on over further lines, whatever they look like. */
function afterFrames(block: readonly string[], from: number): readonly string[] {
  const at = block.findIndex(
    (line, index) => index > from && /^\S/.test(line) && /^\s+\S/.test(block[index - 1] ?? '') && EXCEPTION.test(line),
  );
  return at === -1 ? [] : block.slice(at);
}

/** The exceptions of a group, itself first. */
function membersOf(tree: readonly string[]): readonly string[] {
  return tree
    .flatMap((line) => IN_GROUP.exec(line)?.[1] ?? [])
    .filter((line) => EXCEPTION.test(line) && !TRACEBACK.test(line));
}

function messageOf(line: string | undefined): string {
  return (line ?? '')
    .replace(FORMATTED, '')
    .replace(/^\{[^}]*\} /, '')
    .trim()
    .slice(0, LONGEST_REASON);
}

function cut(lines: readonly string[]): string {
  return lines.join('\n').trim().slice(-MOST_CHARACTERS);
}
