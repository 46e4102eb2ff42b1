import { mapQuery, type OrchestratorApi, type TaskKey, taskPath } from '../api/orchestrator-api.ts';
import { invalidRequest, isOrchestratorError } from '../errors.ts';
import type { Answer, Ask } from '../http/transport.ts';
import { BlockScanner, type MarkedResult, parseMarkers } from '../markers/parse-markers.ts';
import { logTextOf } from './log-text.ts';

/** Answers of status 200 that are no log: what the web server says in its place, and what to do. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /secret_key|403 (Client Error: )?FORBIDDEN/i,
    'the worker refused to serve its log: give web server, scheduler and workers the same [webserver] secret_key, and compare their clocks',
  ],
  [
    /https?:\/\/:\d+/,
    'the task never reached a worker, or its worker died before it told its address: look at the scheduler and the workers',
  ],
  [/Try number \d+ is invalid/i, 'the task never started, so there is no log of this try'],
  [
    /Could not read served logs|Failed to fetch log file|Connection refused|timed out/i,
    "the web server cannot reach the worker's log server (port 8793): see whether the worker still runs, or configure remote logging",
  ],
  [
    /Log file does not exist|No logs found/i,
    'the log file is gone or was never written: configure remote logging where workers come and go',
  ],
];

/** A log taken apart: its text, or why there is none. */
export type ReadLog =
  | { readonly text: string; readonly problem: null }
  | { readonly text: ''; readonly problem: string };

/**
 * Takes the web server's own remarks off a log: lines that begin with `***` and, above them, the name of the host. Where
 * nothing else is left, they say why there is no log.
 */
export function withoutRemarks(text: string): ReadLog {
  const lines = text.split('\n');
  const remarks = lines.filter((line) => line.startsWith('***'));
  const isHostAbove = lines[1]?.startsWith('***') === true && !lines[0]?.startsWith('***');
  const rest = (isHostAbove ? lines.slice(1) : lines).filter((line) => !line.startsWith('***'));
  const said = remarks.join('\n');
  const own = rest.join('\n').trim();
  // What else was remarked may tell more than that there is none.
  if (REFUSAL.test(own)) return { text: '', problem: reasonOf([...remarks, own].join('\n')) };
  if (own !== '' && !isHostOnly(own, remarks.length)) return { text: own, problem: null };
  return { text: '', problem: reasonOf(said) };
}

/** The one line that stands in a log's place. */
const REFUSAL = /^(?:\S*\n)?(?:Error fetching the logs\..*|No logs found\b.*)$/;

/** A log without any line but the host's name. */
const isHostOnly = (text: string, remarks: number): boolean => remarks > 0 && /^[\w.:-]+$/.test(text);

function reasonOf(said: string): string {
  if (said === '') return 'the log is empty';
  const known = REASONS.find(([pattern]) => pattern.test(said))?.[1];
  const words = said
    .replaceAll(/\*\*\*|\s+/g, ' ')
    .trim()
    .slice(0, 300);
  return known === undefined ? `the orchestrator has no log: ${words}` : `${known}. It said: ${words}`;
}

/** One try of a task. */
export interface TaskTry extends TaskKey {
  /** From 1; 0 = the task never started and has no log. */
  readonly tryNumber: number;
}

/** A task's log, or why there is none. */
export type TaskLog = ReadLog & {
  /** Bytes of the log's beginning that were left out, because only its end is kept. */
  readonly leftOut: number;
};

/** Most of a log that is held, bytes: its end, where the failure stands. */
const PLAIN_BYTES = 2 * 2 ** 20;
/** A structured log can only be read whole. */
const JSON_BYTES = 32 * 2 ** 20;

/** Reads the log of one try. Missing logs are answers of status 200, whose words are told as `problem`. */
export async function readTaskLog(api: OrchestratorApi, task: TaskTry, signal?: AbortSignal): Promise<TaskLog> {
  if (hasNoLog(task)) return { text: '', problem: NEVER_STARTED, leftOut: 0 };
  const answer = await askForLog(api, task, { signal });
  if (answer === undefined) return { text: '', problem: NO_INSTANCE, leftOut: 0 };
  const { text, headers, leftOut, isCut } = answer;
  if (isCut) return { text: '', problem: TOO_LARGE, leftOut };
  return { ...withoutRemarks(logTextOf(text, headers.get('content-type') ?? '')), leftOut };
}

/**
 * What a task printed between the markers. A plain log is read as it comes, whatever its size; of one that is told as JSON no more than
 * is held, and `problem` says so where that is not all.
 */
export async function readPrinted(api: OrchestratorApi, task: TaskTry, signal?: AbortSignal): Promise<MarkedResult> {
  if (hasNoLog(task)) return { kind: 'none', problem: NEVER_STARTED };
  let scanner: BlockScanner | undefined;
  const sink = (headers: Headers) => {
    scanner = isJson(headers) ? undefined : new BlockScanner();
    return scanner === undefined ? undefined : (piece: string) => scanner?.push(piece);
  };
  const answer = await askForLog(api, task, { signal, sink });
  if (answer === undefined) return { kind: 'none', problem: NO_INSTANCE };
  if (scanner !== undefined) return scanner.result();
  if (answer.leftOut > 0) return { kind: 'too_large', problem: TOO_LARGE };
  return parseMarkers([logTextOf(answer.text, answer.headers.get('content-type') ?? '')]);
}

/** Throws `invalid_request` for what is no number of a try. */
function hasNoLog({ tryNumber }: TaskTry): boolean {
  if (!Number.isInteger(tryNumber) || tryNumber < 0)
    throw invalidRequest('tryNumber', `${tryNumber} is no whole number from 0; take it from the task instance`);
  return tryNumber === 0;
}

const isJson = (headers: Headers): boolean => /\bjson\b/i.test(headers.get('content-type') ?? '');

const NEVER_STARTED = 'the task never started, so it has no log';
const TOO_LARGE = `the log has more than ${JSON_BYTES / 2 ** 20} MiB; read it in the orchestrator's pages`;
/** Said for a 404: Airflow 3 answers so for a task that never started. */
const NO_INSTANCE =
  'the orchestrator has no log of this try: the task never started, or is not of this run; a mapped task needs its map index';

/** Undefined = a 404. `isCut` = the answer is JSON of which a part is missing. */
async function askForLog(
  api: OrchestratorApi,
  task: TaskTry,
  { signal, sink }: Pick<Ask, 'signal' | 'sink'>,
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
