import { type ExchangeDetails, OrchestratorError } from '../errors.ts';

/** What a request was about: decides what a 404 means. */
export type Subject = 'dag' | 'run' | 'other';

const said = (details: ExchangeDetails): string => (details.said === '' ? '' : ` It said: ${details.said}.`);

/** An address that leads to another one looks like wrong credentials, which are not sent on, or like a trigger that was only asked about. */
const led = ({ redirectedTo }: ExchangeDetails): string =>
  redirectedTo === undefined
    ? ''
    : ` The request was redirected to ${redirectedTo}: credentials are not sent on to another server, and a redirected POST may become a GET. Give the address that answers, such as https in place of http, as the base address.`;

const REMEDIES = {
  unauthorized:
    'the REST API does not accept these credentials. Either user name, password or token are wrong or expired, or its basic-authentication backend is not enabled: ' +
    'put airflow.providers.fab.auth_manager.api.auth.backend.basic_auth into [api] auth_backends.',
  forbidden:
    'this user may not do that. Give it the role "User" (read and edit DAGs, create and read DAG runs, read task instances, logs and XComs), or name a DAG that it may see.',
  unknown_dag:
    'there is no such DAG. Check its id; a DAG file that was just added is known only after the scheduler has read it, and one that was removed is not known any more.',
  unknown_run: 'there is no such run. It may have been deleted, or the id may be of another DAG.',
  not_found: 'there is nothing at this address.',
  conflict: 'a run with this id or logical date exists already. Use another run id.',
  import_errors:
    "the DAG file cannot be imported. Read the import errors (`importErrors()` or the orchestrator's first page) and mend the file.",
  rejected: 'the orchestrator refused the request. Compare the conf with the parameters that the DAG declares.',
  throttled: 'the orchestrator or a proxy asks for fewer requests. Poll less often.',
  server_error:
    'the orchestrator failed. Read the log of its web server; behind a proxy, see whether the web server runs.',
} as const;

/** The failure that an answer of status 400 or more is. */
export function faultOf(details: ExchangeDetails, subject: Subject): OrchestratorError {
  const code = codeOf(details, subject);
  const message = `${details.method} ${details.path} was answered ${details.status}: ${REMEDIES[code]}${said(details)}${led(details)}`;
  return new OrchestratorError(code, message, { details });
}

const MISSING = { dag: 'unknown_dag', run: 'unknown_run', other: 'not_found' } as const;

/** Airflow 3 answers 403, not 401, to a token that has expired or that it never gave out. */
const REFUSED_TOKEN = /invalid jwt|token (has )?expired/i;

function codeOf({ status, said: text }: ExchangeDetails, subject: Subject): keyof typeof REMEDIES {
  if (status === 401) return 'unauthorized';
  if (status === 403) return REFUSED_TOKEN.test(text) ? 'unauthorized' : 'forbidden';
  if (status === 404) return MISSING[subject];
  if (status === 408 || status === 425 || status === 429) return 'throttled';
  if (status === 409) return 'conflict';
  if (status !== null && status >= 500) return 'server_error';
  return /import errors/i.test(text) ? 'import_errors' : 'rejected';
}

/** The failure of an answer that is not the JSON that was expected. */
export function notJson(details: ExchangeDetails, problem: string): OrchestratorError<'not_json'> {
  const remedy =
    'Check the base address: it is the root of the orchestrator or ends with /api/v1 or /api/v2, and no login page may stand before it.';
  return new OrchestratorError(
    'not_json',
    `${details.method} ${details.path} was answered ${details.status} with ${problem}. ${remedy}${said(details)}${led(details)}`,
    { details },
  );
}

/** The failure of a request without an answer. */
export function noAnswer(details: ExchangeDetails, timeoutMs: number | undefined, cause: unknown): OrchestratorError {
  const asked = `${details.method} ${details.path}`;
  if (timeoutMs !== undefined)
    return new OrchestratorError(
      'timeout',
      `${asked} was not answered within ${timeoutMs / 1000} s. The orchestrator is busy, or a proxy holds the request back; try again, or look at its web server.`,
      { details, cause },
    );
  return new OrchestratorError(
    'unreachable',
    `${asked}: the orchestrator cannot be reached (${reasonOf(cause)}). See whether its web server runs and whether this machine can reach its base address.`,
    { details, cause },
  );
}

/** The failure of a request for which the caller's provider gave no token. */
export function noToken(details: ExchangeDetails, cause: unknown): OrchestratorError {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return new OrchestratorError(
    isLate ? 'timeout' : 'unreachable',
    `${details.method} ${details.path} was not sent: credentials.token gave no token (${reasonOf(cause)}). See whether the service that gives it out runs, and what it says.`,
    { details, cause },
  );
}

/** Innermost words of a failed fetch, such as `connect ECONNREFUSED 127.0.0.1:8080`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
