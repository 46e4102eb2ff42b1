import type { ServiceDeps } from '../deps.ts';
import { preparedJson } from '../prepared.ts';
import type { Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { DEM_SHEET } from '../wire/schemas/kyl-land.ts';
import { kylRecords, RECORD_SHEETS } from '../wire/schemas/kyl-record.ts';
import { mwsRows } from './mws-rows.ts';

/** The indicators of a micro-watershed that follow from published tables. Throws `not_found` where none has a row of it. */
export async function kylIndicators(deps: ServiceDeps, tehsilId: number, uid: string): Promise<Reply> {
  const { rows, bodies } = await mwsRows(deps.stores.data, { tehsilId, uid, sheets: RECORD_SHEETS });
  if (rows.size === 0) throw absent('kyl', {});
  const tehsilElevation = rows.has(DEM_SHEET) ? await deps.kyl.elevation(tehsilId) : undefined;
  return preparedJson(kylRecords(uid, { rows, bodies, tehsilElevation }));
}
