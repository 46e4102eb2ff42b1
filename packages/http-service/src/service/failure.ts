import { DomainError, isDomainError, type Logger } from '@headwater/core';
import type { ErrorFormat } from '../operation.ts';
import type { ServiceResponse } from '../seam.ts';
import { exceptionReport } from './ogc-exception.ts';
import { STATUS_OF, TITLE_OF } from './status.ts';

/** Where a failure happened, for its wording and its log line. */
export interface FailureContext {
  readonly format: ErrorFormat;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly logger: Logger;
}

type MutableHeaders = Record<string, string | readonly string[]>;

/** Any thrown value -> the domain error to answer with; unknown ones are logged once and hidden behind an id. */
export function toDomainError(error: unknown, context: FailureContext): DomainError {
  if (isDomainError(error)) return error;
  const { requestId, method, path, logger } = context;
  const text = error instanceof Error ? (error.stack ?? error.message) : `thrown: ${String(error)}`;
  logger.error({ requestId, method, path, error: text }, 'unexpected failure');
  return new DomainError('internal', `Internal error. Quote request ${requestId} to the operator.`);
}

/** Failure -> response, worded as the row wants it. */
export function failureResponse(
  thrown: unknown,
  context: FailureContext,
): ServiceResponse & { headers: MutableHeaders } {
  const error = toDomainError(thrown, context);
  const status = STATUS_OF[error.code];
  const headers: MutableHeaders = { 'cache-control': 'no-store', ...extraHeaders(error, status) };
  if (context.format === 'ogc') {
    return {
      status,
      headers: { ...headers, 'content-type': 'application/xml; charset=utf-8' },
      body: exceptionReport(error),
    };
  }
  const body = JSON.stringify(problem(error, status, context));
  return { status, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' }, body };
}

function problem(error: DomainError, status: number, { format, requestId }: FailureContext): Record<string, unknown> {
  const members: Record<string, unknown> = {
    type: 'about:blank',
    title: TITLE_OF[status] ?? 'Error',
    status: format === 'compute' ? 'error' : status,
    code: error.code,
    detail: error.message,
    error: error.message,
    message: error.message,
    request_id: requestId,
  };
  const { fields = {} } = error;
  const flat = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(name in members) && name !== '__proto__'),
  );
  const errors = error.fields === undefined ? {} : { errors: fields };
  const outcome = format === 'success' ? { success: false } : {};
  return { ...flat, ...members, ...outcome, ...errors, ...shownDetails(error) };
}

/** Members that say what the failure is, and details that became headers. */
const HIDDEN_DETAILS = new Set([
  'type',
  'title',
  'code',
  'detail',
  'error',
  'message',
  'request_id',
  'allow',
  'retryAfterSeconds',
  'total',
  'ogcCode',
  'locator',
]);

// Details may refine `status` (a failed run) and add members; they never replace what the failure is.
function shownDetails(error: DomainError): Record<string, unknown> {
  return Object.fromEntries(Object.entries(error.details).filter(([name]) => !HIDDEN_DETAILS.has(name)));
}

function extraHeaders(error: DomainError, status: number): MutableHeaders {
  const headers: MutableHeaders = {};
  const { allow, retryAfterSeconds, total } = error.details;
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="api"';
  if (typeof allow === 'string') headers['allow'] = allow;
  if (typeof retryAfterSeconds === 'number') headers['retry-after'] = String(Math.ceil(retryAfterSeconds));
  if (typeof total === 'number') headers['content-range'] = `bytes */${total}`;
  return headers;
}
