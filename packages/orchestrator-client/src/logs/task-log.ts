import { mapQuery, type OrchestratorApi, taskPath, type TaskKey } from '../api/orchestrator-api.ts';
import { invalidRequest, isOrchestratorError } from '../errors.ts';
import type { Answer, Ask } from '../http/transport.ts';
import { BlockScanner, type MarkedResult, parseMarkers } from '../markers/parse-markers.ts';
import { logTextOf } from './log-text.ts';
import { type ReadLog, withoutRemarks } from './unavailable.ts';

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
