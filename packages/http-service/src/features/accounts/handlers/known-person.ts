import type { Person, Stores } from '@headwater/identity';
import { fieldError, isDomainError } from '@headwater/core';
import { absent } from '../../../wire/absent.ts';

/** Returns a user with profile, organisation, groups and projects; throws `not_found` for an unknown id. */
export async function knownPerson({ people }: Pick<Stores, 'people'>, id: number): Promise<Person> {
  const person = await people.person(id);
  if (person === undefined) throw absent('user', { id: String(id) });
  return person;
}

/** Converts a `conflict` about a used username to `validation` (400), which existing clients expect. */
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
