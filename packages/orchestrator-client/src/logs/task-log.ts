import { mapQuery, type OrchestratorApi, type TaskKey, taskPath } from '../api/orchestrator-api.ts';
import { invalidRequest, isOrchestratorError } from '../errors.ts';
import type { Answer, ApiRequest } from '../http/transport.ts';
import { BlockScanner, type MarkedResult, parseMarkers } from '../markers/parse-markers.ts';
import { logTextOf } from './log-text.ts';

/** Explanations of 200 responses without a log: pattern of the server's text, and remedy. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /secret_key|403 (Client Error: )?FORBIDDEN/i,
    'the worker refused to serve its log: set the same [webserver] secret_key on web server, scheduler and workers, and compare their clocks',
  ],
  [
    /https?:\/\/:\d+/,
    'the task never reached a worker, or its worker died before it reported its address: check the scheduler and the workers',
  ],
  [/Try number \d+ is invalid/i, 'the task never started, so there is no log of this try'],
  [
    /Could not read served logs|Failed to fetch log file|Connection refused|timed out/i,
    "the web server cannot reach the worker's log server (port 8793): check that the worker is still running, or configure remote logging",
  ],
  [
    /Log file does not exist|No logs found/i,
    'the log file is gone or was never written: configure remote logging if workers are replaced often',
  ],
];

/** Text of a log, or the reason of its absence. */
export type ReadLog =
  | { readonly text: string; readonly problem: null }
  | { readonly text: ''; readonly problem: string };

/**
 * Removes the web server's remarks (lines that begin with `***`, and a host name above them). If the text has
 * only remarks, they give the reason of a missing log.
 */
export function withoutRemarks(text: string): ReadLog {
  const lines = text.split('\n');
  const remarks = lines.filter((line) => line.startsWith('***'));
  const isHostAbove = lines[1]?.startsWith('***') === true && !lines[0]?.startsWith('***');
  const rest = (isHostAbove ? lines.slice(1) : lines).filter((line) => !line.startsWith('***'));
  const remarkText = remarks.join('\n');
  const own = rest.join('\n').trim();
  // The reason is searched in all remarks, because another remark may say more than "no logs found".
  if (REFUSAL.test(own)) return { text: '', problem: reasonOf([...remarks, own].join('\n')) };
  if (own !== '' && !isHostOnly(own, remarks.length)) return { text: own, problem: null };
  return { text: '', problem: reasonOf(remarkText) };
}

/** Matches the server's text for a missing log. */
const REFUSAL = /^(?:\S*\n)?(?:Error fetching the logs\..*|No logs found\b.*)$/;

const isHostOnly = (text: string, remarks: number): boolean => remarks > 0 && /^[\w.:-]+$/.test(text);

function reasonOf(remarks: string): string {
  if (remarks === '') return 'the log is empty';
  const known = REASONS.find(([pattern]) => pattern.test(remarks))?.[1];
  const words = remarks
    .replaceAll(/\*\*\*|\s+/g, ' ')
    .trim()
    .slice(0, 300);
  return known === undefined ? `the orchestrator has no log: ${words}` : `${known}. Response: ${words}`;
}

/** One try of a task. */
export interface TaskTry extends TaskKey {
  /** Number of the try, from 1; 0 if the task never started and has no log. */
  readonly tryNumber: number;
}

/** Log of a task, or the reason of its absence. */
export type TaskLog = ReadLog & {
  /** Bytes omitted at the beginning of a plain log. Also more than 0 for a JSON log that is too large. */
  readonly leftOut: number;
};

/** Maximum size of a plain log in memory, bytes. Its end is kept, because it contains the failure. */
const PLAIN_BYTES = 2 * 2 ** 20;
/** Maximum size of a structured log, bytes. It must be complete to be parsed. */
const JSON_BYTES = 32 * 2 ** 20;

/** Reads the log of one try. `problem`: reason of a missing log. A response without a log may also have status 200. */
export async function readTaskLog(api: OrchestratorApi, task: TaskTry, signal?: AbortSignal): Promise<TaskLog> {
  if (hasNoLog(task)) return { text: '', problem: NEVER_STARTED, leftOut: 0 };
  const answer = await requestLog(api, task, { signal });
  if (answer === undefined) return { text: '', problem: NO_INSTANCE, leftOut: 0 };
  const { text, headers, leftOut, isCut } = answer;
  if (isCut) return { text: '', problem: TOO_LARGE, leftOut };
  return { ...withoutRemarks(logTextOf(text, headers.get('content-type') ?? '')), leftOut };
}

/**
 * Reads the result that a task printed between the markers. Plain logs have no limit; `problem` reports a too large
 * JSON log.
 */
export async function readPrinted(api: OrchestratorApi, task: TaskTry, signal?: AbortSignal): Promise<MarkedResult> {
  if (hasNoLog(task)) return { kind: 'none', problem: NEVER_STARTED };
  let scanner: BlockScanner | undefined;
  const sink = (headers: Headers) => {
    scanner = isJson(headers) ? undefined : new BlockScanner();
    return scanner === undefined ? undefined : (piece: string) => scanner?.push(piece);
  };
  const answer = await requestLog(api, task, { signal, sink });
  if (answer === undefined) return { kind: 'none', problem: NO_INSTANCE };
  if (scanner !== undefined) return scanner.result();
  if (answer.leftOut > 0) return { kind: 'too_large', problem: TOO_LARGE };
  return parseMarkers([logTextOf(answer.text, answer.headers.get('content-type') ?? '')]);
}

/** True if the task never started. Throws `invalid_request` unless the try is a whole number from 0. */
function hasNoLog({ tryNumber }: TaskTry): boolean {
  if (!Number.isInteger(tryNumber) || tryNumber < 0)
    throw invalidRequest('tryNumber', `${tryNumber} is not a whole number from 0; take it from the task instance`);
  return tryNumber === 0;
}

const isJson = (headers: Headers): boolean => /\bjson\b/i.test(headers.get('content-type') ?? '');

const NEVER_STARTED = 'the task never started, so it has no log';
const TOO_LARGE = `the log has more than ${JSON_BYTES / 2 ** 20} MiB; read it in the orchestrator's pages`;
/** Airflow 3 sends 404 for a task that never started. */
const NO_INSTANCE =
  'the orchestrator has no log of this try: the task never started, or does not belong to this run; a mapped task needs its map index';

/** Requests a log; undefined for a 404. `isCut`: a part of the JSON is missing. */
async function requestLog(
  api: OrchestratorApi,
  task: TaskTry,
  { signal, sink }: Pick<ApiRequest, 'signal' | 'sink'>,
): Promise<(Answer & { readonly isCut: boolean }) | undefined> {
  const { transport, dialect } = await api.connect();
  const isPlain = dialect.logAccept === 'text/plain';
  try {
    const answer = await transport.send({
      method: 'GET',
      path: `${dialect.prefix}${taskPath(task)}/logs/${task.tryNumber}`,
      query: { full_content: 'true', ...mapQuery(task) },
      accept: dialect.logAccept,
      limit: isPlain && sink === undefined ? { bytes: PLAIN_BYTES, keep: 'tail' } : { bytes: JSON_BYTES, keep: 'head' },
      signal,
      ...(sink === undefined ? {} : { sink }),
    });
    return { ...answer, isCut: !isPlain && answer.leftOut > 0 };
  } catch (error) {
    if (isOrchestratorError(error, 'not_found')) return undefined;
    throw error;
  }
}
