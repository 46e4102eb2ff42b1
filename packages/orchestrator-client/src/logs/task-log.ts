import { mapQuery, type OrchestratorApi, taskPath, type TaskKey } from '../api/orchestrator-api.ts';
import { invalidRequest, isOrchestratorError } from '../errors.ts';
import type { Answer } from '../http/transport.ts';
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
  const { tryNumber } = task;
  if (!Number.isInteger(tryNumber) || tryNumber < 0)
    throw invalidRequest('tryNumber', `${tryNumber} is no whole number from 0; take it from the task instance`);
  if (tryNumber === 0) return { text: '', problem: 'the task never started, so it has no log', leftOut: 0 };
  const answer = await askForLog(api, task, signal);
  if (answer === undefined) return { text: '', problem: NO_INSTANCE, leftOut: 0 };
  const { text, headers, leftOut, isCut } = answer;
  if (isCut)
    return {
      text: '',
      problem: `the log has more than ${JSON_BYTES / 2 ** 20} MiB; read it in the orchestrator's pages`,
      leftOut,
    };
  return { ...withoutRemarks(logTextOf(text, headers.get('content-type') ?? '')), leftOut };
}

/** Said for a 404: Airflow 3 answers so for a task that never started. */
const NO_INSTANCE =
  'the orchestrator has no log of this try: the task never started, or is not of this run; a mapped task needs its map index';

/** Undefined = a 404. `isCut` = the answer is JSON of which a part is missing. */
async function askForLog(
  api: OrchestratorApi,
  task: TaskTry,
  signal: AbortSignal | undefined,
): Promise<(Answer & { readonly isCut: boolean }) | undefined> {
  const { transport, dialect } = await api.connect();
  const isPlain = dialect.logAccept === 'text/plain';
  try {
    const answer = await transport.send({
      method: 'GET',
      path: `${dialect.prefix}${taskPath(task)}/logs/${task.tryNumber}`,
      query: { full_content: 'true', ...mapQuery(task) },
      accept: dialect.logAccept,
      limit: isPlain ? { bytes: PLAIN_BYTES, keep: 'tail' } : { bytes: JSON_BYTES, keep: 'head' },
      signal,
    });
    return { ...answer, isCut: !isPlain && answer.leftOut > 0 };
  } catch (error) {
    if (isOrchestratorError(error, 'not_found')) return undefined;
    throw error;
  }
}
