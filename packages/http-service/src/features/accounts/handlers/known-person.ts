import type { Person, Stores } from '@headwater/identity';
import { absent } from '../../../wire/absent.ts';

/** Returns a user with profile, organisation, groups and projects; throws `not_found` for an unknown id. */
export async function knownPerson({ people }: Pick<Stores, 'people'>, id: number): Promise<Person> {
  const person = await people.person(id);
  if (person === undefined) throw absent('user', { id: String(id) });
  return person;
}
