import { DomainError } from '@headwater/core';

/** The error of body readers for a body above a limit in bytes. */
export function payloadTooLarge(limit: number, what = 'body'): DomainError {
  return new DomainError('payload_too_large', `${what}: larger than ${limit} bytes; send less`);
}
