import type { DomainError } from '@headwater/core';
import type { TokenProblem } from '@headwater/identity';
import { wireName } from './names.ts';
import { sentenceOf } from './sentences.ts';
import type { Words } from './words.ts';

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
export function tokenWords({ details }: DomainError): Words | undefined {
  if (details['token'] === 'apiKey') return { message: INVALID_KEY, members: {} };
  const sentence = problemSentence(details['problem']);
  if (sentence === undefined) return undefined;
  if (details['token'] !== 'access') return { message: sentence, members: {} };
  const messages = [{ token_class: 'AccessToken', token_type: 'access', message: sentence }];
  return { message: 'Given token not valid for any token type', members: { messages } };
}

/** Words of a refresh token that was shown at signing out: a field of the body is at fault then. */
export function shownTokenWords({ fields, details }: DomainError): Words | undefined {
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
