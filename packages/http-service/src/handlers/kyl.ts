import type { ServiceDeps } from '../deps.ts';
import { json, type Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { KYL_SHEETS, kylRecords, WATER_BODIES_SHEET } from '../wire/schemas/kyl-record.ts';

const SHEETS = [...Object.keys(KYL_SHEETS), WATER_BODIES_SHEET];

/** The indicators of a micro-watershed that follow from published tables. Throws `not_found` where none has a row of it. */
export async function kylIndicators({ stores }: ServiceDeps, tehsilId: number, uid: string): Promise<Reply> {
  const found = await stores.data.rowsOf(tehsilId, SHEETS, uid);
  const rows = new Map(
    [...found].flatMap(([sheet, [row]]) => (sheet === WATER_BODIES_SHEET || row === undefined ? [] : [[sheet, row]])),
  );
  if (rows.size === 0) throw absent('kyl', {});
  return json(200, kylRecords(uid, rows, found.get(WATER_BODIES_SHEET) ?? []));
}
