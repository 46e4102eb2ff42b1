import { COLOURS } from '../colours.ts';
import { parseRepr } from '@headwater/net/python-literal';

/**
 * Converts a task's log to text: plain text (Airflow 2), JSON with Python's repr of (host, text) pairs, or structured
 * lines (Airflow 3). Removes colours; lines end with LF.
 */
export function logTextOf(body: string, contentType: string): string {
  const text = /\bjson\b/i.test(contentType) ? fromJson(body) : body;
  return text.replaceAll(COLOURS, '').replaceAll('\r\n', '\n');
}

function fromJson(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body;
  }
  const content = typeof parsed === 'object' && parsed !== null && 'content' in parsed ? parsed.content : parsed;
  if (typeof content === 'string') return fromRepr(content);
  return Array.isArray(content) ? linesOf(content).join('\n') : body;
}

/** Reads the repr of Airflow 2: `[('host', 'text'), ...]`, or a tuple of pairs (Stackdriver). */
function fromRepr(content: string): string {
  const literal = /^\s*[[(]/.test(content) ? parseRepr(content)?.value : undefined;
  if (!Array.isArray(literal)) return content;
  return literal.map((pair: unknown) => (Array.isArray(pair) ? pair.slice(1).join('\n') : String(pair))).join('\n');
}

/**
 * First line of a group of lines in a log of Airflow 3. The group lists the sources, or gives the reason of a missing
 * log.
 */
const SOURCES = '::group::Log message source details';

/** Lines of a structured log. Lines about sources get the prefix `***`, as in Airflow 2. */
function linesOf(content: readonly unknown[]): readonly string[] {
  const first = content.findIndex((line) => eventOf(line) === SOURCES);
  if (first === -1) return content.map(lineOf);
  const end = content.findIndex((line, at) => at > first && eventOf(line) === '::endgroup::');
  const inside = content.slice(first + 1, Math.max(first + 1, end));
  const rest = content.slice(end === -1 ? first + 1 : end + 1);
  const sources = [...sourcesOf(content[first]), ...inside.map(lineOf)];
  const remarks = sources.flatMap((each) => each.split('\n')).map((line) => `*** ${line}`);
  return [...remarks, ...[...content.slice(0, first), ...rest].map(lineOf)];
}

function eventOf(line: unknown): unknown {
  return typeof line === 'object' && line !== null && 'event' in line ? line.event : line;
}

function sourcesOf(line: unknown): readonly string[] {
  const sources = typeof line === 'object' && line !== null && 'sources' in line ? line.sources : undefined;
  return Array.isArray(sources) ? sources.map(String) : [];
}

/**
 * Converts a line: a text, or `{timestamp, level, event, error_detail: [{exc_type, exc_value, frames}]}`. The order of
 * the exceptions is reversed: Airflow 3 lists the raised exception first, Python prints causes first.
 */
function lineOf(line: unknown): string {
  if (typeof line !== 'object' || line === null) return String(line);
  const event = 'event' in line ? String(line.event) : JSON.stringify(line);
  const level = 'level' in line && typeof line.level === 'string' ? `${line.level.toUpperCase()} - ` : '';
  const stamp = 'timestamp' in line && typeof line.timestamp === 'string' ? `[${line.timestamp}] ` : '';
  const details = 'error_detail' in line && Array.isArray(line.error_detail) ? line.error_detail : [];
  return [`${stamp}${level}${event}`, ...details.toReversed().map(tracebackOf)].join('\n');
}

/** Formats an exception as Python does. */
function tracebackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const frames = 'frames' in error && Array.isArray(error.frames) ? error.frames.map(frameOf) : [];
  const kind = 'exc_type' in error ? String(error.exc_type) : 'Exception';
  const value = 'exc_value' in error ? String(error.exc_value) : '';
  return ['Traceback (most recent call last):', ...frames, value === '' ? kind : `${kind}: ${value}`].join('\n');
}

function frameOf(frame: unknown): string {
  if (typeof frame !== 'object' || frame === null) return '  File "?"';
  const of = (name: string): string => (name in frame ? String(Reflect.get(frame, name)) : '?');
  return `  File "${of('filename')}", line ${of('lineno')}, in ${of('name')}`;
}
