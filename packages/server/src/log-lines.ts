import { escaped } from './log-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Lines for people omit successful requests that take less than this time, except at the level `debug`. */
const SLOW_MS = 1000;

const SHOWN_SEPARATELY = new Set(['level', 'time', 'service', 'msg', 'error', 'cause']);
const OF_A_REQUEST = new Set([...SHOWN_SEPARATELY, 'method', 'path', 'status', 'ms']);

/**
 * Formats a JSON line for people. Returns undefined for a fast and successful request, unless `all` is true. No value
 * can add a line: further lines of a stack begin with a bar.
 */
export function humanLine(json: string, all: boolean): string | undefined {
  const fields = JSON.parse(json) as Fields;
  const isRequest = fields['msg'] === 'request' && typeof fields['status'] === 'number';
  if (isRequest && !all && Number(fields['status']) < 400 && Number(fields['ms']) < SLOW_MS) return undefined;
  const time = new Date(String(fields['time'])).toTimeString().slice(0, 8);
  const level = fields['level'] === 'info' ? '' : ` ${String(fields['level']).toUpperCase()}`;
  const text = isRequest ? requestText(fields) : escaped(textOrJson(fields['msg']));
  return `${time}${level} ${text}${members(fields, isRequest ? OF_A_REQUEST : SHOWN_SEPARATELY)}\n${failure(fields)}`;
}

function requestText({ method, path, status, ms }: Fields): string {
  return `${shown(method)} ${shown(path)} ${shown(status)} in ${shown(ms)} ms`;
}

function members(fields: Fields, omitted: ReadonlySet<string>): string {
  return Object.entries(fields)
    .filter(([name]) => !omitted.has(name))
    .map(([name, value]) => ` ${escaped(name)}=${shown(value)}`)
    .join('');
}

/** Text of a value. A plain word is unchanged, other values are JSON, so that one value cannot look like two. */
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

function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { stack, message, cause } = Object(error) as Fields;
  const text = textOrJson(stack ?? message ?? error);
  return cause === undefined ? text : `${text}\ncaused by: ${textOf(cause)}`;
}
