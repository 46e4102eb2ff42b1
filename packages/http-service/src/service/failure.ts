import { DomainError, isDomainError, type Logger } from '@headwater/core';
import type { MutableHeaders, UnsentResponse } from './unsent-response.ts';
import type { Account } from '../pages/layout.ts';
import type { Language } from '../wire/words.ts';
import { toWire, type WireError } from '../wire/wire-error.ts';
import { loggedPath } from './request-line.ts';
import { wordingOf, type ErrorFormat } from '../wire/wordings/index.ts';

/** Facts about a failed request. */
export interface FailureContext {
  readonly format: ErrorFormat;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** True if the request's own log line has the path; the line about the error then leaves it out. */
  readonly isPathLogged: boolean;
  readonly logger: Logger;
  /** Value of `WWW-Authenticate` in a 401. */
  readonly challenge: string | undefined;
  /** Public base address without trailing slash, for links. */
  readonly baseUrl: string;
  readonly language: Language;
  readonly queryText: string;
  /** Link to the user's pages, in the menu of an error page. */
  readonly account?: Account | undefined;
  /** Address of the sign-in page, for GETs that accept a session; otherwise, and with `pages: 'off'`, undefined. */
  readonly signIn?: string | undefined;
}

/**
 * Converts a thrown value to a domain error. An unexpected error is logged, and its response contains only the request
 * id.
 */
export function toDomainError(error: unknown, context: FailureContext): DomainError {
  if (isDomainError(error)) return error;
  const { requestId, method, logger } = context;
  const path = context.isPathLogged ? {} : { path: loggedPath(context.path) };
  const text = error instanceof Error ? (error.stack ?? error.message) : `thrown: ${String(error)}`;
  logger.error({ requestId, method, ...path, error: text }, 'unexpected failure');
  return new DomainError('internal', `Internal error. Report the request id ${requestId} to the operator.`);
}

const RETRY_AFTER_SECONDS = 5;

/** Converts an error to a response in the operation's format. */
export function failureResponse(thrown: unknown, context: FailureContext): UnsentResponse {
  const { requestId, method, baseUrl, path, language, queryText, account, signIn } = context;
  const error = toWire(toDomainError(thrown, context));
  const wording = wordingOf(context.format);
  const headers: MutableHeaders = {
    'cache-control': 'no-store',
    ...extraHeaders(error, context),
    ...wording.headers,
    'content-type': wording.mediaType,
  };
  return {
    status: error.status,
    headers,
    body: wording.render(error, { requestId, method, baseUrl, path, language, queryText, account, signIn }),
  };
}

function extraHeaders({ status, details }: WireError, { challenge }: FailureContext): MutableHeaders {
  const headers: MutableHeaders = {};
  const { allow, acceptEncoding, retryAfterSeconds, total } = details;
  if (status === 401 && challenge !== undefined) headers['www-authenticate'] = challenge;
  if (status === 405 && typeof allow === 'string') headers['allow'] = allow;
  if (status === 415 && typeof acceptEncoding === 'string') headers['accept-encoding'] = acceptEncoding;
  if (typeof retryAfterSeconds === 'number') headers['retry-after'] = String(Math.ceil(retryAfterSeconds));
  else if (status === 503) headers['retry-after'] = String(RETRY_AFTER_SECONDS);
  if (status === 416 && typeof total === 'number') headers['content-range'] = `bytes */${total}`;
  return headers;
}
