import { invalidRequest } from './errors.ts';

/** Longest id that the orchestrator's database holds. */
const LONGEST = 250;
/** `airflow/utils/helpers.py`: what a DAG or a task may be called. */
const KEY = /^[\p{L}\p{N}_.-]+$/u;
/** Default of `[scheduler] allowed_run_id_pattern` (Airflow 2.6.3 and later). */
const RUN_ID = /^[A-Za-z0-9_.~:+-]+$/;
/** Prefixes that the orchestrator keeps for runs that it makes itself. */
const RESERVED = /^(scheduled|backfill|dataset_triggered|asset_triggered)__/;

/** A DAG's or a task's id, encoded for a path; throws `invalid_request` for one that no path can carry. */
export function keySegment(field: 'dagId' | 'taskId' | 'key', id: string): string {
  refuseUnaddressable(field, id);
  if (field !== 'key' && !KEY.test(id))
    throw invalidRequest(
      field,
      `${shown(id)} has characters beyond letters, digits, "_", "-" and "."; give the id as the DAG file has it`,
    );
  return encodeURIComponent(id);
}

/** A run id of the orchestrator, encoded exactly once; what it minted may hold colons and plus signs. */
export function runSegment(id: string): string {
  refuseUnaddressable('runId', id);
  return encodeURIComponent(id);
}

/** Checks a run id that a caller makes up; the orchestrator answers others with a page of HTML. */
export function checkOwnRunId(id: string): void {
  refuseUnaddressable('runId', id);
  if (!RUN_ID.test(id))
    throw invalidRequest('runId', `${shown(id)} has characters beyond A-Z a-z 0-9 _ . ~ : + -; use these only`);
  if (RESERVED.test(id))
    throw invalidRequest(
      'runId',
      `${shown(id)} begins like a run that the orchestrator makes itself; use another beginning`,
    );
}

/** `~` is the wildcard of lists, `.` and `..` vanish from paths, and no path can carry a slash, even encoded. */
function refuseUnaddressable(field: string, id: string): void {
  if (id === '') throw invalidRequest(field, 'is empty; give an id');
  if (id === '~' || id === '.' || id === '..')
    throw invalidRequest(field, `"${id}" has a meaning of its own in addresses; give an id`);
  if (/[/\\]/.test(id))
    throw invalidRequest(
      field,
      `${shown(id)} holds a slash, which no address of the orchestrator can carry; use an id without`,
    );
  if (/\p{Cs}/u.test(id))
    throw invalidRequest(field, `${shown(id)} holds half a character (a lone surrogate); give the id as it was read`);
  if (id.length > LONGEST) throw invalidRequest(field, `has ${id.length} characters; ${LONGEST} is the most`);
}

const shown = (id: string): string => JSON.stringify(id.slice(0, 80));
