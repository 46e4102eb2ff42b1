import type { ServiceDeps } from '../deps.ts';
import { json, type Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { KYL_SHEETS, kylRecords } from '../wire/schemas/kyl-record.ts';
import { rowsOf, waterBodiesOf } from './mws-rows.ts';

/** The indicators of a micro-watershed that follow from published tables. Throws `not_found` where none has a row of it. */
export async function kylIndicators({ stores }: ServiceDeps, tehsilId: number, uid: string): Promise<Reply> {
  const { data } = stores;
  const [bodies, rows] = await Promise.all([
    waterBodiesOf(data, tehsilId, uid),
    rowsOf(data, { tehsilId, uid, sheets: Object.keys(KYL_SHEETS) }),
  ]);
  if (rows.size === 0) throw absent('kyl', {});
  return json(200, kylRecords(uid, rows, bodies?.rows ?? []));
}
