import { COLOURS } from '../colours.ts';
import { parseRepr } from '@headwater/net/python-literal';

/**
 * Converts the log of a task to text. The log has one of three forms: plain text of Airflow 2 (a line with the name of the host, then the
 * text), JSON whose `content` is Python's repr of (host, text) pairs, or the list of structured lines of Airflow 3. Colours are removed; lines end with \n.
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

/** Parses `[('host', 'text'), ...]` of Airflow 2, or a tuple of such pairs (Stackdriver); any other text is the log itself. */
function fromRepr(content: string): string {
  const literal = /^\s*[[(]/.test(content) ? parseRepr(content)?.value : undefined;
  if (!Array.isArray(literal)) return content;
  return literal.map((pair: unknown) => (Array.isArray(pair) ? pair.slice(1).join('\n') : String(pair))).join('\n');
}

/** Start of the group in which Airflow 3 lists the sources of a log, or the reason for a missing log. */
const SOURCES = '::group::Log message source details';

/** Converts lines of Airflow 3. The lines about the log's sources get the prefix `***`, as in Airflow 2. */
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

/** Formats one line of Airflow 3: a text, or `{timestamp, level, event, error_detail: [{exc_type, exc_value, frames}]}`. */
function lineOf(line: unknown): string {
  if (typeof line !== 'object' || line === null) return String(line);
  const event = 'event' in line ? String(line.event) : JSON.stringify(line);
  const level = 'level' in line && typeof line.level === 'string' ? `${line.level.toUpperCase()} - ` : '';
  const stamp = 'timestamp' in line && typeof line.timestamp === 'string' ? `[${line.timestamp}] ` : '';
  const details = 'error_detail' in line && Array.isArray(line.error_detail) ? line.error_detail : [];
  return [`${stamp}${level}${event}`, ...details.toReversed().map(tracebackOf)].join('\n');
}

/** Formats one exception of a chain. Airflow 3 lists the raised exception before its causes; Python prints the causes first. */
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
