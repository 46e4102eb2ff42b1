import { DomainError } from '@headwater/core';
import type { TokenProblem, TokenType } from './tokens.ts';

const WORDS: Readonly<Record<TokenProblem, string>> = {
  invalid: 'is not one of this service',
  expired: 'has expired',
  wrong_type: 'is of the other type',
  reused: 'was used before, or its session has ended',
};

/** A `token_not_valid` error; `details` say which token it was and what is wrong with it. */
export function tokenError(token: TokenType, problem: TokenProblem): DomainError {
  return new DomainError('token_not_valid', tokenProblemText(token, problem), { details: { token, problem } });
}

/** The problem in plain words, for logs. */
export function tokenProblemText(token: TokenType, problem: TokenProblem): string {
  return `The ${token} token ${WORDS[problem]}.`;
}
