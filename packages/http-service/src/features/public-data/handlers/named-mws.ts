import type { TehsilNames } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import { absent } from '../../../wire/absent.ts';
import type { NamedPlace } from '../schemas/public-places.ts';
import { namedTehsil } from './named-tehsil.ts';

/** The tehsil of a micro-watershed that a query names. Throws `validation` and `not_found`, also where it has no such uid. */
export async function namedMws(
  deps: Ports<'stores'>,
  query: NamedPlace & { readonly uid: string },
): Promise<TehsilNames> {
  const names = await namedTehsil(deps, query);
  const uids = await deps.stores.lookups.mwsUids(names.tehsilId);
  if (uids.length === 0) throw absent('mwsOutlines', {});
  if (!uids.includes(query.uid)) throw absent('mws', { uid: query.uid, tehsil: names.tehsil });
  return names;
}
