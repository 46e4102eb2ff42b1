import type { DomainError, ErrorCode } from '@headwater/core';
import { fieldSummary } from '@headwater/core/values';
import { absentWords } from './absent.ts';
import { missingWords } from './missing.ts';
import { wireName, wireNames } from './names.ts';
import { fill, paths } from './paths.ts';
import { RequestError } from './request-error.ts';
import { sentenceOf, sentences } from './sentences.ts';
import { STATUS_OF, TITLE_OF } from './status.ts';
import { shownTokenWords, tokenWords } from './tokens.ts';
import { fieldText, type WireFields, type Words } from './words.ts';

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
