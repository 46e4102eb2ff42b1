import type { DomainError, ErrorCode } from '@headwater/core';
import { fieldSummary, isObject } from '@headwater/core/values';
import type { TokenProblem } from '@headwater/identity';
import { absentWords } from './absent.ts';
import { exampleBody } from './request-names.ts';
import { wireName, wireNames } from './names.ts';
import { computePath, fill, paths } from './paths.ts';
import { RequestError } from './request-error.ts';
import { sentenceOf, sentences } from './sentences.ts';
import { STATUS_OF, TITLE_OF } from './status.ts';
import { fieldText, type WireFields, type Words } from './words.ts';

/** A missing layer or table in the body of an error; `made_by` is null if no route of this service computes it. */
interface WireMissing {
  readonly name: string;
  readonly kind: string;
  readonly made_by: { readonly method: 'POST'; readonly path: string; readonly body: object } | null;
}

/**
 * Text and members of the error for missing layers and tables, with the requests that compute them. The error of a failed run has
 * no list of missing layers; its message is then used unchanged.
 */
function missingWords({ message, details }: DomainError): Words | undefined {
  const listed: readonly unknown[] = Array.isArray(details['missing']) ? details['missing'] : [];
  const needs = listed.filter(isObject);
  const missing = needs.map(wireMissing);
  if (missing.length === 0) return { message, members: details };
  // All years of a layer have the same request, which is shown only once.
  const alike = Map.groupBy(needs, ({ isOfOtherBoundary, route, request, remedy }) =>
    JSON.stringify([isOfOtherBoundary, route, request, remedy]),
  );
  const texts = [...alike.values()].map(missingSentence);
  const canBeMade = missing.every(({ made_by: by }) => by !== null);
  const remedy = canBeMade ? ['Or send with_dependencies=true to compute the missing ones first.'] : [];
  return { message: [...texts, ...remedy].join(' '), members: { missing } };
}

/** A sentence about missing layers and tables that have the same request, or that all have no request. */
function missingSentence(needs: readonly Readonly<Record<string, unknown>>[]): string {
  const [first = {}] = needs;
  const { isOfOtherBoundary, remedy } = first;
  const by = wireMissing(first).made_by;
  const names = needs.map((need) => wireMissing(need).name).join(', ');
  const [are, were, them] = needs.length === 1 ? ['is', 'was', 'it'] : ['are', 'were', 'them'];
  const lack = isOfOtherBoundary === true ? `${were} made for another boundary than today's` : `${are} missing`;
  if (by !== null) return `${names} ${lack}; POST ${by.path} with ${JSON.stringify(by.body)} computes ${them}.`;
  const way = typeof remedy === 'string' ? remedy : 'Ask its operator.';
  return `${names} ${lack}, and no route of this service computes ${them}. ${way}`;
}

function wireMissing(missing: Readonly<Record<string, unknown>>): WireMissing {
  const { name, kind, route, request } = missing;
  const madeBy =
    typeof route === 'string'
      ? { method: 'POST' as const, path: computePath(route), body: exampleBody(request) }
      : null;
  return { name: String(name), kind: String(kind), made_by: madeBy };
}

const SENTENCES: Readonly<Record<TokenProblem, string>> = {
  invalid: 'Token is invalid',
  expired: 'Token is expired',
  wrong_type: 'Token has wrong type',
  reused: 'Token is blacklisted',
};

/** Text for all problems of an API key, so that a client cannot find out if a key exists. */
const INVALID_KEY = 'Invalid API key';

/**
 * Text about an invalid token, as existing clients expect it. The problem of a bearer token is in `messages`. The problem of a refresh
 * token is the text itself. Undefined if the error names no known problem of the token.
 */
function tokenWords({ details }: DomainError): Words | undefined {
  if (details['token'] === 'apiKey') return { message: INVALID_KEY, members: {} };
  const sentence = problemSentence(details['problem']);
  if (sentence === undefined) return undefined;
  if (details['token'] !== 'access') return { message: sentence, members: {} };
  const messages = [{ token_class: 'AccessToken', token_type: 'access', message: sentence }];
  return { message: 'Given token not valid for any token type', members: { messages } };
}

/** Text about an invalid refresh token at logout, where the token is a field of the body. */
function shownTokenWords({ fields, details }: DomainError): Words | undefined {
  const problem = fields['refreshToken']?.[0];
  if (problem === undefined) return undefined;
  const message = problemSentence(details['problem']) ?? sentenceOf(problem, 'refreshToken');
  return { message, fields: { [wireName('refreshToken')]: [message] }, members: {} };
}

function problemSentence(problem: unknown): string | undefined {
  return isTokenProblem(problem) ? SENTENCES[problem] : undefined;
}

function isTokenProblem(value: unknown): value is TokenProblem {
  return typeof value === 'string' && Object.hasOwn(SENTENCES, value);
}

/** An error with the names and texts that clients get. An error format writes the body from it. */
export interface WireError {
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** Title of the status. */
  readonly title: string;
  readonly message: string;
  /** Sentences by the field's name in the request. Empty if no field has a problem. */
  readonly fields: WireFields;
  /** Further members of the body, by their names in the response. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Details of the domain error, for error formats that need more than `members`. */
  readonly details: DomainError['details'];
}

/** Converts a domain error to its wire form. The error codes, texts and field names of all responses come from this function. */
export function toWire(error: DomainError): WireError {
  const status = STATUS_OF[error.code];
  const words = WORDS[error.code]?.(error) ?? ownWords(error);
  const { message, fields = {}, members = shownDetails(error) } = words;
  return {
    code: error.code,
    status,
    title: TITLE_OF[status] ?? 'Error',
    message,
    fields,
    members,
    details: error.details,
  };
}

/** Message of an error for the client, with field names as in HTTP requests. */
export const wireMessage = (error: DomainError): string => toWire(error).message;

const CREDENTIALS_GIVEN: Readonly<Record<string, string>> = {
  credentials: 'No active account found with the given credentials',
  token: 'No active account found for the given token.',
};

/** Sentences that existing clients expect, by error code. For other codes the domain's message is used. */
const WORDS: Readonly<Partial<Record<ErrorCode, (error: DomainError) => Words | undefined>>> = {
  not_authenticated: missingCredentials,
  bad_authorization_header: () => ({
    message: 'Authorization header must contain two space-delimited values',
    members: {},
  }),
  token_not_valid: tokenWords,
  user_inactive: () => ({ message: 'User is inactive' }),
  user_not_found: () => ({ message: 'User not found' }),
  no_active_account: ({ message, details }) => ({
    message: CREDENTIALS_GIVEN[String(details['given'])] ?? message,
    members: {},
  }),
  password_change_required: () => ({
    message:
      "This account still has the installer's password, which is public. Change it first: " +
      `POST ${paths.changePassword} with old_password, new_password and new_password_confirm; then sign in again.`,
  }),
  forbidden: ({ details }) =>
    details['needs'] === 'superuser' ? { message: sentences.forbidden, members: {} } : undefined,
  computing_not_allowed: ({ details, message }) => ({
    message:
      details['hostUser'] === undefined
        ? 'This account can read public data but not compute. Ask a superuser of this service to allow it: ' +
          `PATCH ${fill(paths.user, { id: String(details['userId']) })} with may_compute true.`
        : message,
    members: {},
  }),
  not_found: absentWords,
  missing_layer: missingWords,
  key_reused: () => ({
    message:
      'Idempotency-Key: this key was used before with another body; send a new key, or the body of the first request.',
  }),
  took_too_long: ({ details: { seconds } }) => ({ message: sentences.tookTooLong(seconds), members: {} }),
  validation: shownTokenWords,
};

/**
 * Text of the refusal of a request without credentials. Undefined for a policy of the embedder, which may have its own message.
 */
function missingCredentials({ details: { policies } }: DomainError): Words | undefined {
  if (!Array.isArray(policies) || !policies.includes('bearer')) return undefined;
  return {
    message: sentences.noCredentials,
    members: policies.length > 1 ? { policies } : {},
  };
}

function ownWords(error: DomainError): Words {
  const { message } = error;
  if (error instanceof RequestError) return { message, fields: error.wireFields };
  const fields = wireFieldsOf(error);
  // If the message only repeats the sentences of the fields, the sentences for the client replace it.
  return { message: message === fieldSummary(error.fields) ? fieldText(fields) : message, fields };
}

function wireFieldsOf({ fields }: DomainError): WireFields {
  const entries = Object.entries(fields).map(([field, problems]) => {
    return [wireName(field), problems.map((problem) => sentenceOf(problem, field))] as const;
  });
  return Object.fromEntries(entries);
}

/** Details that become headers and are not in the body, by error code. */
const HIDDEN: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  method_not_allowed: ['allow'],
  range_not_satisfiable: ['total'],
};
/** Details of all error codes that are not in the body, because they become headers or belong to one error format. */
const HIDDEN_EVERYWHERE = ['retryAfterSeconds', 'acceptEncoding', 'hostUser', 'ogcCode', 'locator'];

function shownDetails({ code, details }: DomainError): Readonly<Record<string, unknown>> {
  const hidden = [...HIDDEN_EVERYWHERE, ...(HIDDEN[code] ?? [])];
  return wireNames(Object.fromEntries(Object.entries(details).filter(([name]) => !hidden.includes(name))));
}
