import { fieldError, type DomainError, type FieldProblem } from '@headwater/core';

/** What is wrong with a user name that somebody has. */
export const NAME_TAKEN: FieldProblem = { rule: 'taken', message: 'is taken; choose another one.' };

/** The refusal of a user name that somebody has. */
export function nameTaken(): DomainError {
  return fieldError('conflict', { username: [NAME_TAKEN] });
}
