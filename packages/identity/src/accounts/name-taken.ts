import { fieldError, type DomainError, type FieldProblem } from '@headwater/core';

/** Problem of a user name that another account has. */
export const NAME_TAKEN: FieldProblem = { rule: 'taken', message: 'is taken; choose another one.' };

/** The error for a user name that another account has. */
export function nameTaken(): DomainError {
  return fieldError('conflict', { username: [NAME_TAKEN] });
}
