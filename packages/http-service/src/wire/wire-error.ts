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

interface WireMissing {
  readonly name: string;
  readonly kind: string;
  readonly made_by: { readonly method: 'POST'; readonly path: string; readonly body: object } | null;
}

/** Text about missing layers. The error of a failed run has no list of missing layers, so its message is used. */
function missingWords({ message, details }: DomainError): Words | undefined {
  const listed: readonly unknown[] = Array.isArray(details['missing']) ? details['missing'] : [];
  const needs = listed.filter(isObject);
  const missing = needs.map(wireMissing);
  if (missing.length === 0) return { message, members: details };
  // Missing layers that the same request computes, such as the years of one map, share one sentence, so that the
  // request is shown once.
  const alike = Map.groupBy(needs, ({ isOfOtherBoundary, route, request, remedy }) =>
    JSON.stringify([isOfOtherBoundary, route, request, remedy]),
  );
  const texts = [...alike.values()].map(missingSentence);
  const canBeMade = missing.every(({ made_by: by }) => by !== null);
  const remedy = canBeMade ? ['Or send with_dependencies=true to compute the missing ones first.'] : [];
  return { message: [...texts, ...remedy].join(' '), members: { missing } };
}

function missingSentence(needs: readonly Readonly<Record<string, unknown>>[]): string {
  const [first = {}] = needs;
  const { isOfOtherBoundary, remedy } = first;
  const by = wireMissing(first).made_by;
  const names = needs.map((need) => wireMissing(need).name).join(', ');
  const [are, were, them] = needs.length === 1 ? ['is', 'was', 'it'] : ['are', 'were', 'them'];
  const lack = isOfOtherBoundary === true ? `${were} computed for an earlier boundary` : `${are} missing`;
  if (by !== null) return `${names} ${lack}; POST ${by.path} with ${JSON.stringify(by.body)} computes ${them}.`;
  const way = typeof remedy === 'string' ? remedy : 'Ask the operator of this service.';
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

/** One text for all problems, so that a client cannot find out if a key exists. */
const INVALID_KEY = 'Invalid API key';

/**
 * Texts that existing clients expect. The problem of a bearer token is in `messages`. The problem of a refresh token
 * is the text itself.
 */
function tokenWords({ details }: DomainError): Words | undefined {
  if (details['token'] === 'apiKey') return { message: INVALID_KEY, members: {} };
  const sentence = problemSentence(details['problem']);
  if (sentence === undefined) return undefined;
  if (details['token'] !== 'access') return { message: sentence, members: {} };
  const messages = [{ token_class: 'AccessToken', token_type: 'access', message: sentence }];
  return { message: 'Given token not valid for any token type', members: { messages } };
}

function refreshTokenWords({ fields, details }: DomainError): Words | undefined {
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

/** Error with the names and texts for clients. */
export interface WireError {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Sentences by the field's wire name. */
  readonly fields: WireFields;
  /** Further members of the body, by wire name. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly details: DomainError['details'];
}

/** Converts a domain error to its wire form: codes, texts and field names of all responses. */
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

/** Message for the client, with field names as in HTTP requests. */
export const wireMessage = (error: DomainError): string => toWire(error).message;

const CREDENTIALS_GIVEN: Readonly<Record<string, string>> = {
  credentials: 'No active account found with the given credentials',
  token: 'No active account found for the given token.',
};

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
      'Others may know the password of this account, because the installer or an operator set it. Change it first: ' +
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
  validation: refreshTokenWords,
};

/**
 * Text for missing credentials. Undefined if `bearer` is not accepted, because other policies may have their own
 * message.
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
  // A message that only repeats the fields is replaced by the wire sentences.
  return { message: message === fieldSummary(error.fields) ? fieldText(fields) : message, fields };
}

function wireFieldsOf({ fields }: DomainError): WireFields {
  const entries = Object.entries(fields).map(([field, problems]) => {
    return [wireName(field), problems.map((problem) => sentenceOf(problem, field))] as const;
  });
  return Object.fromEntries(entries);
}

const HIDDEN: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  method_not_allowed: ['allow'],
  range_not_satisfiable: ['total'],
};
/** Details that are left out for every code, because they become headers, choose a text, or serve one format. */
const HIDDEN_EVERYWHERE = [
  'retryAfterSeconds',
  'isSimultaneous',
  'acceptEncoding',
  'hostUser',
  'userWithoutAccount',
  'ogcCode',
  'locator',
];

function shownDetails({ code, details }: DomainError): Readonly<Record<string, unknown>> {
  const hidden = [...HIDDEN_EVERYWHERE, ...(HIDDEN[code] ?? [])];
  return wireNames(Object.fromEntries(Object.entries(details).filter(([name]) => !hidden.includes(name))));
}
