import { fieldError, isDomainError } from '@headwater/core';

/** Tells a name that somebody has as a field at fault, as clients of the live system read it: 400, not 409 (wire-contract 1.5). */
export async function refusedWhereTaken<T>(made: Promise<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    if (isDomainError(error) && error.code === 'conflict' && 'username' in error.fields) {
      throw fieldError('validation', error.fields);
    }
    throw error;
  }
}
