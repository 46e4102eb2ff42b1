import type { ServiceDeps } from '../deps.ts';
import { json, type Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { KYL_DERIVED } from '../wire/schemas/kyl-derived.ts';
import { KYL_SHEETS, kylRecords } from '../wire/schemas/kyl-record.ts';
import { mwsRows } from './mws-rows.ts';

const SHEETS = Object.keys({ ...KYL_SHEETS, ...KYL_DERIVED });

/** The indicators of a micro-watershed that follow from published tables. Throws `not_found` where none has a row of it. */
export async function kylIndicators({ stores }: ServiceDeps, tehsilId: number, uid: string): Promise<Reply> {
  const { rows, bodies } = await mwsRows(stores.data, { tehsilId, uid, sheets: SHEETS });
  if (rows.size === 0) throw absent('kyl', {});
  return json(200, kylRecords(uid, rows, bodies));
}
