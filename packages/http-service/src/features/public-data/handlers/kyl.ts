import type { TehsilNames, TableRow, DomainError } from '@headwater/core';
import type { DataStore } from '@headwater/core/ports';
import { preparedJson } from '../../../caching/prepared.ts';
import type { Ports } from '../../../deps.ts';
import { computingRoutes } from '../../../items/computing-routes.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { DEM_SHEET } from '../schemas/kyl-land.ts';
import { kylRecords, RECORD_SHEETS, rowOfAll, WATER_BODIES_SHEET } from '../schemas/kyl-record.ts';

/** A micro-watershed without data, and the tables or series that were read. */
export interface MwsWithoutData {
  readonly names: TehsilNames;
  readonly uid: string;
  readonly kind: 'mwsData' | 'kyl';
  readonly data: readonly string[];
}

/** Error for an unknown uid or for missing data, with the requests that compute the data. */
export async function absentOfMws(
  deps: Ports<'canCompute' | 'pipelines' | 'stores'>,
  { names, uid, kind, data }: MwsWithoutData,
): Promise<DomainError> {
  const { tehsilId, tehsil } = names;
  const uids = await deps.stores.lookups.mwsUids(tehsilId);
  if (uids.length === 0) return absent('noMws', { tehsil });
  if (!uids.includes(uid)) return absent('mws', { uid, tehsil });
  return absent(kind, { uid, tehsil, routes: computingRoutes(deps, data) });
}

interface WantedRows {
  readonly tehsilId: number;
  readonly uid: string;
  readonly sheets: readonly string[];
}

interface MwsRows {
  readonly rows: ReadonlyMap<string, TableRow>;
  readonly bodies: readonly TableRow[];
}

async function mwsRows(data: Pick<DataStore, 'rowsOf'>, wanted: WantedRows): Promise<MwsRows> {
  const found = await data.rowsOf(wanted.tehsilId, [...wanted.sheets, WATER_BODIES_SHEET], wanted.uid);
  const rows = wanted.sheets.flatMap((sheet): [string, TableRow][] => {
    const row = rowOfAll(found.get(sheet) ?? []);
    return row === undefined ? [] : [[sheet, row]];
  });
  return { rows: new Map(rows), bodies: found.get(WATER_BODIES_SHEET) ?? [] };
}

/** Indicators of a micro-watershed from published tables. Throws `not_found` without rows. */
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
