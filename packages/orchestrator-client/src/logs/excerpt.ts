/** Excerpt of a failed task's log. */
export interface Excerpt {
  /** Reason such as `RuntimeError: export failed: quota exceeded`; null if the log has none. */
  readonly reason: string | null;
  /** Lines around the reason, at most 40 lines and 8,000 characters. */
  readonly lines: string;
}

const MOST_LINES = 40;
const MOST_CHARACTERS = 8000;
const LONGEST_REASON = 1000;

/**
 * Patterns of lines in which the orchestrator reports a failure. Only the first pattern that occurs in the log is used,
 * at its last match. "Traceback" is no pattern, because a task may print this word.
 */
const ANCHORS: readonly RegExp[] = [
  /\bERROR - Task failed with exception/,
  /\bERROR - Failed to execute (job|task)\b/,
  /\{standard_task_runner\.py:\d+\} ERROR/,
];
/**
 * If no pattern of `ANCHORS` occurs, the reason is at the last ERROR or CRITICAL line. If there is no such line,
 * it is at the last match of `EXIT_LINE`.
 */
const ERROR_LINE = /\b(ERROR|CRITICAL) - /;
const EXIT_LINE = /Task exited with return code (?!0\b)-?\d+|Negsignal\.\w+|Marking task as (FAILED|UP_FOR_RETRY)/;

/** `[2026-11-20T12:00:00.123+0000] {file.py:12} LEVEL - ...` */
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
    if (reason !== undefined && COMMAND_FAILED.test(reason)) return commandExcerpt(lines.slice(0, end), reason);
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

/** The orchestrator's error for a failed command, which does not contain the reason. */
const COMMAND_FAILED = /^(\S*\.)?AirflowException: Bash command failed/;
/** `{subprocess.py:106} INFO - line`; Airflow 3 writes no file name. */
const PRINTED = /^\[\d{4}-\d\d-\d\d[T ][^\]]*\] (?:\{subprocess\.py:\d+\} )?INFO - (.*)$/;
/** Last line of a failed program, as in Python: `module.NameError: message`. */
const PRINTED_ERROR = /^[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt): \S/;
/** Lines of the orchestrator about a command, which look like printed lines. */
const NOTED = /^(Running command: |Output:$|Command exited with return code |Tmp dir root location)/;

/**
 * Excerpt for a failed command. Its reason is the last error that the command printed; if it printed none, `reason`.
 */
function commandExcerpt(lines: readonly string[], reason: string): Excerpt {
  const printed = lines.flatMap((line) => PRINTED.exec(line)?.[1] ?? []).filter((line) => !NOTED.test(line));
  const printedError = printed.findLast((line) => PRINTED_ERROR.test(line));
  const shown = [...printed.slice(1 - MOST_LINES), reason];
  return { reason: printedError?.slice(0, LONGEST_REASON) ?? reason, lines: cut(shown) };
}

function firstOf(patterns: readonly RegExp[], lines: readonly string[]): number | undefined {
  for (const pattern of patterns) {
    // The last match is used, because the file may contain earlier tries.
    const at = lines.findLastIndex((line) => FORMATTED.test(line) && pattern.test(line));
    if (at !== -1) return at;
  }
  return undefined;
}

function endOfBlock(lines: readonly string[], start: number): number {
  const next = lines.findIndex((line, index) => index > start && FORMATTED.test(line));
  return next === -1 ? lines.length : next;
}

const TRACEBACK = /^Traceback \(most recent call last\):$/;
/** Python prints an ExceptionGroup as a tree, whose further lines begin with a bar. */
const GROUP = /^\s*\+ Exception Group Traceback \(most recent call last\):$/;
const IN_GROUP = /^\s*\| (\S.*)$/;

/** The last exception of a chain, with all lines of its message. */
function lastException(block: readonly string[]): string | undefined {
  const [last, group] = [
    block.findLastIndex((line) => TRACEBACK.test(line)),
    block.findLastIndex((line) => GROUP.test(line)),
  ];
  const exceptions = group > last ? membersOf(block.slice(group + 1)) : afterFrames(block, last + 1);
  const reason = exceptions.join('\n').trim().slice(0, LONGEST_REASON);
  return reason === '' ? undefined : reason;
}

/** Lines of the exception, which follow the last frame. Its message may have many lines. */
function afterFrames(block: readonly string[], from: number): readonly string[] {
  const at = block.findIndex(
    (line, index) => index > from && /^\S/.test(line) && /^\s+\S/.test(block[index - 1] ?? '') && EXCEPTION.test(line),
  );
  return at === -1 ? [] : block.slice(at);
}

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
