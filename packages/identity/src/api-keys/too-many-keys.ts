import { DomainError } from '@headwater/core';

/** The error for exceeding the maximum number of keys of an account. */
export function tooManyKeys(most: number): DomainError {
  const text = `You have ${most} active API keys, which is the maximum for an account; deactivate one that is not needed.`;
  return new DomainError('conflict', text);
}
