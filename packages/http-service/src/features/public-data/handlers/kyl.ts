import type { TehsilNames } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { DEM_SHEET } from '../schemas/kyl-land.ts';
import { kylRecords, RECORD_SHEETS } from '../schemas/kyl-record.ts';
import { absentOfMws } from './absent-mws.ts';
import { mwsRows } from './mws-rows.ts';

/** The indicators of a micro-watershed that follow from published tables. Throws `not_found` where none has a row of it. */
export async function kylIndicators(
  deps: Ports<'canCompute' | 'kyl' | 'pipelines' | 'stores'>,
  names: TehsilNames,
  uid: string,
): Promise<Reply> {
  const { tehsilId } = names;
  const { rows, bodies } = await mwsRows(deps.stores.data, { tehsilId, uid, sheets: RECORD_SHEETS });
  if (rows.size === 0) throw await absentOfMws(deps, { names, uid, kind: 'kyl', data: RECORD_SHEETS });
  const tehsilElevation = rows.has(DEM_SHEET) ? await deps.kyl.elevation(tehsilId) : undefined;
  return preparedJson(kylRecords(uid, { rows, bodies, tehsilElevation }));
}
