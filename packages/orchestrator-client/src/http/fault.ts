import { type ExchangeDetails, OrchestratorError } from '../errors.ts';

/** Subject of a request, which decides the meaning of a 404. */
export type Subject = 'dag' | 'run' | 'other';

const quoted = (details: ExchangeDetails): string =>
  details.responseText === '' ? '' : ` Response: ${details.responseText}.`;

/** Sentence about a redirect, which removes credentials and may change a POST to a GET. Empty without a redirect. */
const redirectionNote = ({ redirectedTo }: ExchangeDetails): string =>
  redirectedTo === undefined
    ? ''
    : ` The request was redirected to ${redirectedTo}: credentials are not sent on to another server, and a redirected POST may become a GET. Use the final address as the base address, for example with https rather than http.`;

const REMEDIES = {
  unauthorized:
    'the REST API does not accept these credentials. Either the user name, password or token is wrong or expired, or the basic-authentication backend is not enabled: ' +
    'put airflow.providers.fab.auth_manager.api.auth.backend.basic_auth into [api] auth_backends.',
  forbidden:
    'this user lacks the permission. Give it the role "User" (read and edit DAGs, create and read DAG runs, read task instances, logs and XComs), or name a DAG that it may read.',
  unknown_dag:
    'there is no such DAG. Check its id; a new DAG is known only after the scheduler has read its file, and a removed DAG is no longer known.',
  unknown_run: 'there is no such run. It may have been deleted, or its id belongs to another DAG.',
  not_found: 'nothing was found at this address.',
  conflict: 'a run with this id or logical date already exists. Use another run id.',
  import_errors:
    "the DAG file cannot be imported. Read the import errors (`importErrors()` or the orchestrator's first page) and repair the file.",
  rejected: 'the orchestrator refused the request. Compare the conf with the declared parameters of the DAG.',
  throttled: 'the orchestrator or a proxy limits the request rate. Poll less often.',
  server_error:
    'the orchestrator failed. Read the log of its web server; behind a proxy, check that the web server is running.',
} as const;

/** Error for a status of 400 or more. */
export function faultOf(details: ExchangeDetails, subject: Subject): OrchestratorError {
  const code = codeOf(details, subject);
  const message = `${details.method} ${details.path} returned ${details.status}: ${REMEDIES[code]}${quoted(details)}${redirectionNote(details)}`;
  return new OrchestratorError(code, message, { details });
}

const MISSING = { dag: 'unknown_dag', run: 'unknown_run', other: 'not_found' } as const;

/** Airflow 3 sends 403 with these messages for an expired token or a token of another server. */
const REFUSED_TOKEN = /invalid jwt|token (has )?expired/i;

function codeOf({ status, responseText: text }: ExchangeDetails, subject: Subject): keyof typeof REMEDIES {
  if (status === 401) return 'unauthorized';
  if (status === 403) return REFUSED_TOKEN.test(text) ? 'unauthorized' : 'forbidden';
  if (status === 404) return MISSING[subject];
  if (status === 408 || status === 425 || status === 429) return 'throttled';
  if (status === 409) return 'conflict';
  if (status !== null && status >= 500) return 'server_error';
  return /import errors/i.test(text) ? 'import_errors' : 'rejected';
}

/** Error for a response without the expected JSON. */
export function notJson(details: ExchangeDetails, problem: string): OrchestratorError<'not_json'> {
  const remedy =
    'It must return JSON of the Airflow REST API. Check that the base address is the root of the orchestrator or ends with /api/v1 or /api/v2, and that no login page or proxy responds instead.';
  return new OrchestratorError(
    'not_json',
    `${details.method} ${details.path} returned ${details.status} with ${problem}. ${remedy}${quoted(details)}${redirectionNote(details)}`,
    { details },
  );
}

/** Error for a request without response. */
export function noAnswer(details: ExchangeDetails, timeoutMs: number | undefined, cause: unknown): OrchestratorError {
  const request = `${details.method} ${details.path}`;
  if (timeoutMs !== undefined)
    return new OrchestratorError(
      'timeout',
      `${request}: no response within ${timeoutMs / 1000} s. The orchestrator is busy, or a proxy delays the request; retry, or check its web server.`,
      { details, cause },
    );
  return new OrchestratorError(
    'unreachable',
    `${request}: the orchestrator cannot be reached (${reasonOf(cause)}). Check that its web server is running and that this machine can reach its base address.`,
    { details, cause },
  );
}

/** Error for a request that was not sent, because the token provider returned no token. */
export function noToken(details: ExchangeDetails, cause: unknown): OrchestratorError {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return new OrchestratorError(
    isLate ? 'timeout' : 'unreachable',
    `${details.method} ${details.path} was not sent: credentials.token returned no token (${reasonOf(cause)}). Check the service that issues tokens, and its log.`,
    { details, cause },
  );
}

/** Innermost message of a failed fetch, such as `connect ECONNREFUSED 127.0.0.1:8080`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
