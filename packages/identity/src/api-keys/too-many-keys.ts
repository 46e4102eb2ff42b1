import { DomainError } from '@headwater/core';

/** The refusal of a key beyond the most that an account may have. */
export function tooManyKeys(most: number): DomainError {
  const text = `You have ${most} active API keys, the most that an account may have; deactivate one that is not needed.`;
  return new DomainError('conflict', text);
}
