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

/** Something that is missing, on the wire; `made_by` is null where nothing of this service makes it. */
interface WireMissing {
  readonly name: string;
  readonly kind: string;
  readonly made_by: { readonly method: 'POST'; readonly path: string; readonly body: object } | null;
}

/** What is missing, with the requests that make it. A run's own failure lists nothing: its message is told as it is. */
function missingWords({ message, details }: DomainError): Words | undefined {
  const listed: readonly unknown[] = Array.isArray(details['missing']) ? details['missing'] : [];
  const needs = listed.filter(isObject);
  const missing = needs.map(wireMissing);
  if (missing.length === 0) return { message, members: details };
  // Years of one layer have one maker: its request is told once.
  const alike = Map.groupBy(needs, ({ isOfOtherBoundary, route, request, remedy }) =>
    JSON.stringify([isOfOtherBoundary, route, request, remedy]),
  );
  const told = [...alike.values()].map(toldOf);
  const canBeMade = missing.every(({ made_by: by }) => by !== null);
  const remedy = canBeMade ? ['Or send with_dependencies=true: then what is missing is made first.'] : [];
  return { message: [...told, ...remedy].join(' '), members: { missing } };
}

/** A sentence for all that one request makes, or that nothing makes. */
function toldOf(needs: readonly Readonly<Record<string, unknown>>[]): string {
  const [first = {}] = needs;
  const { isOfOtherBoundary, remedy } = first;
  const by = wireMissing(first).made_by;
  const names = needs.map((need) => wireMissing(need).name).join(', ');
  const [are, were, them] = needs.length === 1 ? ['is', 'was', 'it'] : ['are', 'were', 'them'];
  const lack = isOfOtherBoundary === true ? `${were} made for another boundary than today's` : `${are} missing`;
  if (by !== null) return `${names} ${lack}; POST ${by.path} with ${JSON.stringify(by.body)} makes ${them}.`;
  const way = typeof remedy === 'string' ? remedy : 'Ask its operator.';
  return `${names} ${lack}, and no route of this service makes ${them}. ${way}`;
}

function wireMissing(missing: Readonly<Record<string, unknown>>): WireMissing {
  const { name, kind, route, request } = missing;
  const made =
    typeof route === 'string'
      ? { method: 'POST' as const, path: computePath(route), body: exampleBody(request) }
      : null;
  return { name: String(name), kind: String(kind), made_by: made };
}

const SENTENCES: Readonly<Record<TokenProblem, string>> = {
  invalid: 'Token is invalid',
  expired: 'Token is expired',
  wrong_type: 'Token has wrong type',
  reused: 'Token is blacklisted',
};

/** Told of whatever is wrong with an API key, so that nobody learns which ones there are. */
const INVALID_KEY = 'Invalid API key';

/**
 * Words of a token that is not valid (wire-contract 1.5): a bearer token's problem stands in `messages`, a refresh token's is
 * the text itself. Undefined where the error does not say which token it means.
 */
function tokenWords({ details }: DomainError): Words | undefined {
  if (details['token'] === 'apiKey') return { message: INVALID_KEY, members: {} };
  const sentence = problemSentence(details['problem']);
  if (sentence === undefined) return undefined;
  if (details['token'] !== 'access') return { message: sentence, members: {} };
  const messages = [{ token_class: 'AccessToken', token_type: 'access', message: sentence }];
  return { message: 'Given token not valid for any token type', members: { messages } };
}

/** Words of a refresh token that was shown at signing out: a field of the body is at fault then. */
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

/** A failure as clients of the live system read it; a wording makes a body of it. */
export interface WireError {
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** What the status means. */
  readonly title: string;
  readonly message: string;
  /** Field by its name on the wire -> sentences. Empty where no field is at fault. */
  readonly fields: WireFields;
  /** What else the body may show, by its names on the wire. */
  readonly members: Readonly<Record<string, unknown>>;
  /** What the domain says, for wordings that need more than members. */
  readonly details: DomainError['details'];
}

/** Puts a domain error into the words of the wire: every code, text and field name of an answer passes here. */
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

/** What a caller is told of a failure, in one text, with the names of the wire. */
export const wireMessage = (error: DomainError): string => toWire(error).message;

const CREDENTIALS_GIVEN: Readonly<Record<string, string>> = {
  credentials: 'No active account found with the given credentials',
  token: 'No active account found for the given token.',
};

/** Sentences of the live system (wire-contract 1.5) by code; other codes keep the domain's message. */
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
      "This account still has the installer's password, which everybody knows. Change it first: " +
      `POST ${paths.changePassword} with old_password, new_password and new_password_confirm; then sign in again.`,
  }),
  forbidden: ({ details }) =>
    details['needs'] === 'superuser' ? { message: sentences.forbidden, members: {} } : undefined,
  computing_not_allowed: ({ details }) => ({
    message:
      'This account may read public data, not compute. Ask a superuser of this service to allow it: ' +
      `PATCH ${fill(paths.user, { id: String(details['userId']) })} with may_compute true.`,
    members: {},
  }),
  not_found: absentWords,
  missing_layer: missingWords,
  key_reused: () => ({
    message:
      'Idempotency-Key: this key came with another body before; send a new key, or the body of the first request.',
  }),
  took_too_long: ({ details: { seconds } }) => ({ message: sentences.tookTooLong(seconds), members: {} }),
  validation: shownTokenWords,
};

/** A refusal that names the policies asked, several of them for the caller too; a policy of somebody else may have words of its own. */
function missingCredentials({ details: { policies } }: DomainError): Words | undefined {
  if (!Array.isArray(policies) || !policies.includes('bearer')) return undefined;
  return {
    message: 'Authentication credentials were not provided.',
    members: policies.length > 1 ? { policies } : {},
  };
}

function ownWords(error: DomainError): Words {
  const { message } = error;
  if (error instanceof RequestError) return { message, fields: error.wireFields };
  const fields = wireFieldsOf(error);
  // A message that is no more than the fields' own is put into the wire's words with them.
  return { message: message === fieldSummary(error.fields) ? fieldText(fields) : message, fields };
}

function wireFieldsOf({ fields }: DomainError): WireFields {
  const entries = Object.entries(fields).map(([field, problems]) => {
    return [wireName(field), problems.map((problem) => sentenceOf(problem, field))] as const;
  });
  return Object.fromEntries(entries);
}

/** Details that become headers, by the failure that has them, or that only one wording shows. */
const HIDDEN: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  method_not_allowed: ['allow'],
  range_not_satisfiable: ['total'],
};
const HIDDEN_EVERYWHERE = ['retryAfterSeconds', 'ogcCode', 'locator'];

function shownDetails({ code, details }: DomainError): Readonly<Record<string, unknown>> {
  const hidden = [...HIDDEN_EVERYWHERE, ...(HIDDEN[code] ?? [])];
  return wireNames(Object.fromEntries(Object.entries(details).filter(([name]) => !hidden.includes(name))));
}
