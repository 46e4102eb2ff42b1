import { fieldError, type DomainError } from '../errors.ts';

/** The refusal of a user name that somebody has. */
export function nameTaken(): DomainError {
  return fieldError('conflict', { username: [{ rule: 'taken', message: 'is taken; choose another one.' }] });
}
