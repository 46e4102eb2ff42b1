import { invalidRequest } from './errors.ts';

const LONGEST = 250;
/** Pattern of ids, as in `airflow/utils/helpers.py`. */
const KEY = /^[\p{L}\p{N}_.-]+$/u;
/** Pattern of run ids: default of `[scheduler] allowed_run_id_pattern` (Airflow 2.6.3 and later). */
const RUN_ID = /^[A-Za-z0-9_.~:+-]+$/;
const RESERVED = /^(scheduled|backfill|dataset_triggered|asset_triggered)__/;

/** Encodes an id or key for a path; throws `invalid_request` for an id that cannot be part of a path. */
export function keySegment(field: 'dagId' | 'taskId' | 'key', id: string): string {
  refuseUnaddressable(field, id);
  if (field !== 'key' && !KEY.test(id))
    throw invalidRequest(
      field,
      `${shown(id)} has characters other than letters, digits, "_", "-" and "."; use the id that the DAG file defines`,
    );
  return encodeURIComponent(id);
}

/** Encodes a run id for a path once; ids of the orchestrator may contain colons and plus signs. */
export function runSegment(id: string): string {
  refuseUnaddressable('runId', id);
  return encodeURIComponent(id);
}

/** Checks a run id of the caller, because the orchestrator responds to an invalid id with an HTML page. */
export function checkOwnRunId(id: string): void {
  refuseUnaddressable('runId', id);
  if (!RUN_ID.test(id))
    throw invalidRequest('runId', `${shown(id)} has characters other than A-Z a-z 0-9 _ . ~ : + -; use these only`);
  if (RESERVED.test(id))
    throw invalidRequest(
      'runId',
      `${shown(id)} starts with a prefix of the orchestrator's own runs; use another prefix`,
    );
}

/** Throws for an id that cannot be part of a path. `~` is a wildcard; HTTP clients remove `.` and `..`. */
function refuseUnaddressable(field: string, id: string): void {
  if (id === '') throw invalidRequest(field, 'is empty; give an id');
  if (id === '~' || id === '.' || id === '..')
    throw invalidRequest(field, `"${id}" has a special meaning in addresses; give an id`);
  if (/[/\\]/.test(id))
    throw invalidRequest(
      field,
      `${shown(id)} contains a slash, which an address of the orchestrator cannot contain; use an id without a slash`,
    );
  if (/\p{Cs}/u.test(id))
    throw invalidRequest(field, `${shown(id)} contains half a character (a lone surrogate); use the id as it was read`);
  if (id.length > LONGEST) throw invalidRequest(field, `has ${id.length} characters; the maximum is ${LONGEST}`);
}

const shown = (id: string): string => JSON.stringify(id.slice(0, 80));
