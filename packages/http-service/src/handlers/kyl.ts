import type { TableRow } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import { json, type Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { KYL_SHEETS, kylRecords, WATER_BODIES_SHEET } from '../wire/schemas/kyl-record.ts';

/** The indicators of a micro-watershed that follow from published tables. Throws `not_found` where none has a row of it. */
export async function kylIndicators({ stores }: ServiceDeps, tehsilId: number, uid: string): Promise<Reply> {
  const { data } = stores;
  const [water, ...found] = await Promise.all([
    data.table(tehsilId, WATER_BODIES_SHEET),
    ...Object.keys(KYL_SHEETS).map(async (sheet) => [sheet, await data.rowOf(tehsilId, sheet, uid)] as const),
  ]);
  const rows = new Map(
    found.flatMap(([sheet, row]): [string, TableRow][] => (row === undefined ? [] : [[sheet, row]])),
  );
  if (rows.size === 0) throw absent('kyl', {});
  const bodies = water?.rows.filter((row) => row['uid'] === uid) ?? [];
  return json(200, kylRecords(uid, rows, bodies));
}
