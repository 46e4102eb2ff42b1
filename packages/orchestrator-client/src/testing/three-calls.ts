import type { Route, RouteCall } from './route.ts';
import { pauseDag } from './routes-dags.ts';
import { trigger, withRun } from './routes-runs.ts';
import { isObject, triggerFault } from './trigger-body.ts';
import type { FakeAnswer } from './wire.ts';

/**
 * Response to a call that is not one of the three calls (`THREE_ROUTES`): a status with JSON, a page of HTML (200 or
 * 404), or a closed connection.
 */
export type OtherCalls = 403 | 404 | 405 | 501 | 'page' | 'missing page' | 'closed';

/** Form of the 404 for a run or DAG that does not exist, from an orchestrator that has only the three calls. */
export type MissingForm = 'airflow' | 'fastapi' | 'error' | 'page';

/** Converts a 404 of the three calls to another form. Returns any other response unchanged. */
export function missingAs(form: MissingForm, answer: FakeAnswer): FakeAnswer {
  if (answer.status !== 404 || form === 'airflow') return answer;
  if (form === 'page') return { status: 404, type: 'text/html', body: '<html><title>Not Found</title></html>' };
  return { status: 404, body: form === 'fastapi' ? { detail: 'Not Found' } : { error: 'not found' } };
}

/** Status that stands for a closed connection without a response. */
export const CLOSED = 0;

/**
 * The three calls that every orchestrator offers. The calls accept no query parameters, and only bodies with the
 * necessary members.
 */
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

/** The response to any other call; undefined = the fake offers every call. */
export function otherCall(others: OtherCalls | undefined): FakeAnswer | undefined {
  if (others === undefined) return undefined;
  if (others === 'closed') return { status: CLOSED, body: '' };
  if (others === 'page' || others === 'missing page')
    return { status: others === 'page' ? 200 : 404, type: 'text/html', body: '<html><title>Welcome</title></html>' };
  return { status: others, body: { error: 'no such call' } };
}

/** Reduces a run to its id and state; an error is unchanged. */
function shortened({ body, ...answer }: FakeAnswer): FakeAnswer {
  if (answer.status !== 200 || !isObject(body)) return { ...answer, body };
  return { ...answer, body: { dag_run_id: body['dag_run_id'], state: body['state'] } };
}

function unpauseDag(call: RouteCall): FakeAnswer {
  const answer = pauseDag(call);
  return answer.status === 200 ? { status: 200, body: '' } : answer;
}
