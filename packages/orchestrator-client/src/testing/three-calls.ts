import type { Route, RouteCall } from './route.ts';
import { pauseDag } from './routes-dags.ts';
import { trigger, withRun } from './routes-runs.ts';
import { isObject, triggerFault } from './trigger-body.ts';
import type { FakeAnswer } from './wire.ts';

/**
 * Response to calls that are not in `THREE_ROUTES`: JSON with a status, HTML page (200 or 404), or closed connection.
 */
export type OtherCalls = 403 | 404 | 405 | 501 | 'page' | 'missing page' | 'closed';

/** Form of the body of a 404 for an unknown run or DAG. */
export type MissingForm = 'airflow' | 'fastapi' | 'error' | 'page';

/** Converts a 404 to another form; other responses stay unchanged. */
export function missingAs(form: MissingForm, answer: FakeAnswer): FakeAnswer {
  if (answer.status !== 404 || form === 'airflow') return answer;
  if (form === 'page') return { status: 404, type: 'text/html', body: '<html><title>Not Found</title></html>' };
  return { status: 404, body: form === 'fastapi' ? { detail: 'Not Found' } : { error: 'not found' } };
}

/** Status that stands for a closed connection. */
export const CLOSED = 0;

/** The three calls that every orchestrator offers, with only the necessary members and no query. */
export const THREE_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: 'dags/:dag/dagRuns',
    query: [],
    bodyFault: triggerFault,
    handle: (call) => shortened(trigger({ ...call, body: isObject(call.body) ? { conf: call.body['conf'] } : {} })),
  },
  {
    method: 'GET',
    pattern: 'dags/:dag/dagRuns/:run',
    query: [],
    handle: withRun(({ wire }, run) => shortened({ status: 200, body: wire.run(run) })),
  },
  { method: 'PATCH', pattern: 'dags/:dag', query: [], handle: unpauseDag },
];

/** Response to any other call; undefined if the fake offers every call. */
export function otherCall(others: OtherCalls | undefined): FakeAnswer | undefined {
  if (others === undefined) return undefined;
  if (others === 'closed') return { status: CLOSED, body: '' };
  if (others === 'page' || others === 'missing page')
    return { status: others === 'page' ? 200 : 404, type: 'text/html', body: '<html><title>Welcome</title></html>' };
  return { status: others, body: { error: 'no such call' } };
}

/** Reduces a run to id and state. */
function shortened({ body, ...answer }: FakeAnswer): FakeAnswer {
  if (answer.status !== 200 || !isObject(body)) return { ...answer, body };
  return { ...answer, body: { dag_run_id: body['dag_run_id'], state: body['state'] } };
}

function unpauseDag(call: RouteCall): FakeAnswer {
  const answer = pauseDag(call);
  return answer.status === 200 ? { status: 200, body: '' } : answer;
}
