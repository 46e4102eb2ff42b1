import type { FakeAnswer } from './wire.ts';
import { pythonRepr } from './python-repr.ts';
import type { Wire } from './wire.ts';

const KNOWN = {
  v1: ['conf', 'dag_run_id', 'logical_date', 'execution_date', 'data_interval_start', 'data_interval_end', 'note'],
  v2: ['conf', 'dag_run_id', 'logical_date', 'data_interval_start', 'data_interval_end', 'run_after', 'note'],
} as const;
const READ_ONLY = [
  'dag_id',
  'end_date',
  'external_trigger',
  'last_scheduling_decision',
  'run_type',
  'start_date',
  'state',
];
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Error response to an invalid trigger, if any. Checked before the DAG is looked up. */
export function triggerFault(body: unknown, wire: Wire): FakeAnswer | undefined {
  if (!isObject(body))
    return wire.problem({ status: 400, title: 'Bad Request', detail: 'Request body must not be empty' });
  return wire.api === 'v1' ? faultOfV1(body, wire) : faultOfV2(body, wire);
}

function faultOfV1(body: Readonly<Record<string, unknown>>, wire: Wire): FakeAnswer | undefined {
  const readOnly = READ_ONLY.find((name) => name in body);
  if (readOnly !== undefined) return wire.invalid(readOnly, 'Property is read-only');
  if ('conf' in body && !isObject(body['conf']))
    return wire.invalid('conf', `${pythonRepr(body['conf'])} is not of type 'object'`);
  const date = (['logical_date', 'execution_date'] as const).find(
    (name) => typeof body[name] === 'string' && !isDateTime(body[name]),
  );
  return date === undefined ? undefined : wire.invalid(date, `${pythonRepr(body[date])} is not a 'date-time'`);
}

function faultOfV2(body: Readonly<Record<string, unknown>>, wire: Wire): FakeAnswer | undefined {
  const unknown = unknownMember(body, wire);
  if (unknown !== undefined) return unknown;
  if (!('logical_date' in body)) return wire.invalid('logical_date', 'Field required');
  const date = body['logical_date'];
  if (date !== null && !isDateTime(date)) return wire.invalid('logical_date', 'Input should have timezone info');
  if ('conf' in body && !isObject(body['conf'])) return wire.invalid('conf', 'Input should be a valid dictionary');
  return undefined;
}

/** Error response to an unknown member, if any. Call it after the check of the credentials, as Airflow does. */
export function unknownMember(body: Readonly<Record<string, unknown>>, wire: Wire): FakeAnswer | undefined {
  const known: readonly string[] = KNOWN[wire.api];
  const extra = Object.keys(body).find((name) => !known.includes(name));
  if (extra === undefined) return undefined;
  if (wire.api === 'v2') return wire.invalid(extra, 'Extra inputs are not permitted');
  return wire.problem({ status: 400, title: 'Bad Request', detail: `{'${extra}': ['Unknown field.']}` });
}

/** Logical date of the trigger, ms; undefined: now. */
export function requestedDate(body: Readonly<Record<string, unknown>>): number | undefined {
  const date = body['logical_date'] ?? body['execution_date'];
  return isDateTime(date) ? Date.parse(date) : undefined;
}

function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
}
