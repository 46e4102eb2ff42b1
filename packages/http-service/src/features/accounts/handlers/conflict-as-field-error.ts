import { fieldError, isDomainError } from '@headwater/core';

/** Reports a username that is taken as a field error: existing clients expect 400 here, not 409. */
export async function conflictAsFieldError<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    if (isDomainError(error) && error.code === 'conflict' && 'username' in error.fields) {
      throw fieldError('validation', error.fields);
    }
    throw error;
  }
}
