import type { DomainError, TehsilNames } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import { absent } from '../../../wire/absent.ts';
import { makingRoutes } from '../../../items/making-routes.ts';

/** What was looked for. */
export interface MwsLook {
  readonly names: TehsilNames;
  readonly uid: string;
  readonly kind: 'mwsData' | 'kyl';
  /** Names of the tables or series that tell of it. */
  readonly data: readonly string[];
}

/** Why nothing is told of a micro-watershed: there is none of this id, or nothing that tells of it is published, and what makes that. */
export async function absentOfMws(
  deps: Ports<'canCompute' | 'pipelines' | 'stores'>,
  { names, uid, kind, data }: MwsLook,
): Promise<DomainError> {
  const { tehsilId, tehsil } = names;
  const uids = await deps.stores.lookups.mwsUids(tehsilId);
  if (!uids.includes(uid)) return absent('mws', { uid, tehsil });
  return absent(kind, { uid, tehsil, routes: makingRoutes(deps, data) });
}
