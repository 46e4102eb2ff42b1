import type { components } from './api.generated.ts';

/** Error codes of the service. */
export type ServiceErrorCode = components['schemas']['ErrorCode'];

/** Needed layer, table or elevation data that is missing or was made for an earlier boundary. */
export interface MissingLayer {
  readonly name: string;
  readonly kind: string;
  /** Remedy: the request that computes the data; null if no route computes them. */
  readonly made_by: { readonly method: 'POST'; readonly path: string; readonly body: object } | null;
}

interface OwnMembers {
  /** Data to provide first. A request with `with_dependencies: true` also computes them if each has `made_by`. */
  readonly missing_layer: { readonly missing: readonly MissingLayer[] };
  readonly throttled: { readonly retryAfterSeconds: number | undefined };
  readonly unavailable: { readonly retryAfterSeconds: number | undefined };
}

/** Codes of this client: no response arrived, or the response is not from a Headwater service. */
export type ClientErrorCode = 'no_response' | 'unexpected_response';

interface CommonMembers<Code> extends Error {
  readonly code: Code;
  /** HTTP status; undefined without a response, and for the error of a run. */
  readonly status: number | undefined;
  /** Messages with remedies, by the name of the parameter or member of the body. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Id of the run, if this is the error of a run. */
  readonly runId: string | undefined;
  /** Body of the response: parsed JSON, or text. For the error of a run: the member `error` of the run. */
  readonly body: unknown;
}

type ErrorWith<Code extends string> = CommonMembers<Code> &
  (Code extends keyof OwnMembers ? OwnMembers[Code] : unknown);
type AnyCode = ServiceErrorCode | ClientErrorCode;

/** Error of a request or of a run. Its `code` decides which members the error has. */
export type HeadwaterError = { [Code in AnyCode]: ErrorWith<Code> }[AnyCode];

/** A global symbol, so that installed copies of the package recognise each other's errors. */
const BRAND = Symbol.for('headwater.client-error');

class ClientError extends Error {
  override readonly name = 'HeadwaterError';
  readonly [BRAND] = true as const;
}

/** Returns true for an error that this package threw. */
export function isHeadwaterError(error: unknown): error is HeadwaterError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

interface ErrorFacts extends Partial<
  Pick<CommonMembers<string>, 'status' | 'fields' | 'requestId' | 'runId' | 'body' | 'cause'>
> {
  readonly code: AnyCode;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** Creates an error of this package. */
export function clientError({ code, message, cause, ...facts }: ErrorFacts): HeadwaterError {
  const { status, fields = {}, requestId, runId, body, retryAfterSeconds } = facts;
  const error = new ClientError(message, cause === undefined ? undefined : { cause });
  const missing = code === 'missing_layer' ? { missing: missingIn(body) } : {};
  const later = code === 'throttled' || code === 'unavailable' ? { retryAfterSeconds } : {};
  const members = { code, status, fields, requestId, runId, body, ...missing, ...later };
  return Object.assign<Error, typeof members>(error, members) as HeadwaterError;
}

/** Codes of the service. Any other `code` comes from another program, such as a proxy, and is ignored. */
const CODES: Readonly<Record<ServiceErrorCode, true>> = {
  validation: true,
  parse: true,
  not_authenticated: true,
  bad_authorization_header: true,
  token_not_valid: true,
  user_inactive: true,
  user_not_found: true,
  no_active_account: true,
  password_change_required: true,
  computing_not_allowed: true,
  forbidden: true,
  not_found: true,
  method_not_allowed: true,
  conflict: true,
  missing_layer: true,
  cancelled: true,
  payload_too_large: true,
  unsupported_media_type: true,
  range_not_satisfiable: true,
  key_reused: true,
  input_data: true,
  no_scenes: true,
  dependency_failed: true,
  throttled: true,
  internal: true,
  crashed_repeatedly: true,
  upstream_failed: true,
  unavailable: true,
  took_too_long: true,
  upstream_timeout: true,
  storage_full: true,
};

function isServiceCode(code: unknown): code is ServiceErrorCode {
  return typeof code === 'string' && Object.hasOwn(CODES, code);
}

/** Codes by status for errors in the format of the OGC, whose bodies have no code. */
const OF_OGC: Readonly<Record<number, ServiceErrorCode>> = { 400: 'validation', 404: 'not_found' };

/**
 * Reads the error of a failed response. Uses the request's address, because a response of a custom `fetch` may have
 * none.
 */
export async function errorOf(response: Response, { url, signal }: Request): Promise<HeadwaterError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  signal.throwIfAborted();
  const body = parsed(text);
  const members = isObject(body) ? body : {};
  const { code = OF_OGC[status] } = isServiceCode(members['code']) ? { code: members['code'] } : {};
  const message = messageIn(members) ?? /<(?:\w+:)?(?:ExceptionText|ServiceException)[^>]*>([^<]*)</.exec(text)?.[1];
  if (code === undefined || message === undefined) {
    const { pathname } = new URL(url);
    const isSignIn = pathname.endsWith('/auth/login/');
    const hint = isSignIn ? '. If the users of the service sign in at a site of yours, sign in there' : '';
    const shown = `${pathname} responded ${status}, but not with an error in the format of Headwater; check the address of the service${hint}`;
    return clientError({ code: 'unexpected_response', message: shown, status, body: body ?? text });
  }
  const after = Number(headers.get('retry-after') ?? 'none');
  return clientError({
    code,
    message,
    status,
    fields: fieldsIn(members),
    requestId: textIn(members, 'request_id'),
    retryAfterSeconds: Number.isFinite(after) ? after : undefined,
    body: body ?? text,
  });
}

interface Sent {
  readonly url: string;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Reads the JSON of a successful response; undefined without content. Throws a `HeadwaterError`, or the reason of the
 * signal.
 */
export async function jsonOf(response: Response, { url, signal }: Sent): Promise<unknown> {
  const { pathname } = new URL(url);
  const { status } = response;
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const message = `${pathname}: the connection ended before the whole response arrived; try again`;
    throw clientError({ code: 'no_response', message, cause });
  }
  if (status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${pathname} responded ${status} without JSON; check the address of the service, and read files with download or fetch`;
    throw clientError({ code: 'unexpected_response', message, status, body: text, cause });
  }
}

/** Creates the error of a run that failed. */
export function runError(runId: string, error: components['schemas']['Run']['error']): HeadwaterError {
  if (error === null)
    return clientError({ code: 'internal', message: 'The run failed, and the service gave no reason.', runId });
  const { code, message, fields = {} } = error;
  return clientError({ code, message, fields, runId, body: error });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageIn(members: Readonly<Record<string, unknown>>): string | undefined {
  const { exceptions } = members;
  if (Array.isArray(exceptions)) return textIn(Object(exceptions[0]), 'text');
  // Operations with an API key send a short text in `error` and the full text in `details`.
  const names = ['detail', 'description', 'details', 'error', 'message'];
  return names.map((name) => textIn(members, name)).find((text) => text !== undefined);
}

function fieldsIn({ errors, locator, detail }: Readonly<Record<string, unknown>>): HeadwaterError['fields'] {
  if (isObject(errors)) return errors as HeadwaterError['fields'];
  return typeof locator === 'string' && typeof detail === 'string' ? { [locator]: [detail] } : {};
}

function missingIn(body: unknown): readonly MissingLayer[] {
  return isObject(body) && Array.isArray(body['missing']) ? (body['missing'] as readonly MissingLayer[]) : [];
}

function textIn(members: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
