import { DomainError } from '@headwater/core';

/** The error for exceeding the maximum number of keys of an account. */
export function tooManyKeys(most: number): DomainError {
  const text = `You have ${most} active API keys, the most that an account may have; deactivate one that is not needed.`;
  return new DomainError('conflict', text);
}
