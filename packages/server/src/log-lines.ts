import { escaped } from './log-text.ts';

/** A log line as JSON has it. */
type Fields = Readonly<Record<string, unknown>>;

/** Requests that take longer are told on a terminal, ms. */
const SLOW_MS = 1000;

/** Members of a line that are not shown as `name=value`. */
const ELSEWHERE = new Set(['level', 'time', 'service', 'msg', 'error', 'cause']);
const OF_A_REQUEST = new Set([...ELSEWHERE, 'method', 'path', 'status', 'ms']);

/**
 * A JSON line as people read it; undefined for what a terminal is not told: requests that went well, unless `all` are wanted.
 * Whatever is in a value, it stays within its line: only stacks have lines of their own, each behind a bar.
 */
export function humanLine(json: string, all: boolean): string | undefined {
  const fields = JSON.parse(json) as Fields;
  const isRequest = fields['msg'] === 'request' && typeof fields['status'] === 'number';
  if (isRequest && !all && Number(fields['status']) < 400 && Number(fields['ms']) < SLOW_MS) return undefined;
  const time = new Date(String(fields['time'])).toTimeString().slice(0, 8);
  const level = fields['level'] === 'info' ? '' : ` ${String(fields['level']).toUpperCase()}`;
  const said = isRequest ? requestText(fields) : escaped(worded(fields['msg']));
  return `${time}${level} ${said}${members(fields, isRequest ? OF_A_REQUEST : ELSEWHERE)}\n${failure(fields)}`;
}

function requestText({ method, path, status, ms }: Fields): string {
  return `${shown(method)} ${shown(path)} ${shown(status)} in ${shown(ms)} ms`;
}

function members(fields: Fields, left: ReadonlySet<string>): string {
  return Object.entries(fields)
    .filter(([name]) => !left.has(name))
    .map(([name, value]) => ` ${escaped(name)}=${shown(value)}`)
    .join('');
}

/** A plain word as it is, everything else as JSON: a value cannot look like two. */
function shown(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return escaped(value);
  return escaped(JSON.stringify(value) ?? '');
}

function failure({ error, cause }: Fields): string {
  return [error, cause]
    .filter((each) => each !== undefined)
    .flatMap((each) => textOf(each).split('\n'))
    .map((line) => `    | ${escaped(line)}\n`)
    .join('');
}

function worded(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { stack, message, cause } = Object(error) as Fields;
  const text = worded(stack ?? message ?? error);
  return cause === undefined ? text : `${text}\ncaused by: ${textOf(cause)}`;
}
