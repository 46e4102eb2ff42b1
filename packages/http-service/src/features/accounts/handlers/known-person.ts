import type { Person, Stores } from '@headwater/identity';
import { absent } from '../../../wire/absent.ts';

/** A user with what is told of him; throws `not_found` where there is none. */
export async function knownPerson({ people }: Pick<Stores, 'people'>, id: number): Promise<Person> {
  const person = await people.person(id);
  if (person === undefined) throw absent('user', { id: String(id) });
  return person;
}
