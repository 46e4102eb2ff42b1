import type { DataStore, PlaceLookups, TableRow } from '@headwater/core';
import { createKeptAnswers, type PreparedReply } from './kept-answers.ts';
import { createMeanElevations } from './mean-elevations.ts';
import { prepared } from './prepared.ts';
import { absent } from './wire/absent.ts';
import { downloadedRecord, type KylMembers } from './wire/schemas/kyl-download.ts';
import { DEM_SHEET, meanElevation } from './wire/schemas/kyl-land.ts';
import { kylRecords, RECORD_SHEETS, WATER_BODIES_SHEET } from './wire/schemas/kyl-record.ts';

/** What downloads of indicators are made of. */
export interface KylSources {
  readonly data: Pick<DataStore, 'tableVersionsOf' | 'tableHead' | 'table'>;
  readonly lookups: Pick<PlaceLookups, 'mwsUids'>;
}

/** Indicators of every micro-watershed of a tehsil. */
export interface KylDownloads {
  /** As they are now. Throws `not_found` where nothing is published that tells of any. */
  records(tehsilId: number): Promise<readonly KylMembers[]>;
  /** The same as JSON, made once for each version of the tables. */
  json(tehsilId: number): Promise<PreparedReply>;
  /** Mean elevation in metres, beside which each of them is high or low; undefined where no table tells. */
  elevation(tehsilId: number): Promise<number | undefined>;
}

/** Keeps the answers that were asked for last. */
export function createKylDownloads(sources: KylSources): KylDownloads {
  const kept = createKeptAnswers<number>();
  return {
    records: (tehsilId) => recordsOf(sources, tehsilId),
    json: async (tehsilId) => {
      const uids = await sources.lookups.mwsUids(tehsilId);
      const tables = await sources.data.tableVersionsOf(tehsilId);
      const version = JSON.stringify([uids, tables.map(({ name, runId, version }) => [name, runId, version])]);
      const make = async (): Promise<PreparedReply> => prepared(JSON.stringify(await recordsOf(sources, tehsilId)));
      return await kept.of(tehsilId, { version, make });
    },
    elevation: createMeanElevations(sources.data).of,
  };
}

async function recordsOf({ data, lookups }: KylSources, tehsilId: number): Promise<readonly KylMembers[]> {
  const sheets = new Map<string, RowsByUid>();
  for (const sheet of [...RECORD_SHEETS, WATER_BODIES_SHEET]) {
    const rows = await rowsByUid(data, tehsilId, sheet);
    if (rows !== undefined) sheets.set(sheet, rows);
  }
  if (sheets.size === 0) throw absent('sheets', {});
  const uids = await lookups.mwsUids(tehsilId);
  const tehsilElevation = meanElevation([...(sheets.get(DEM_SHEET)?.values() ?? [])].flat());
  return uids.flatMap((uid) => {
    const rows = RECORD_SHEETS.flatMap((sheet): [string, TableRow][] => {
      const [row] = sheets.get(sheet)?.get(uid) ?? [];
      return row === undefined ? [] : [[sheet, row]];
    });
    const bodies = sheets.get(WATER_BODIES_SHEET)?.get(uid) ?? [];
    return kylRecords(uid, { rows: new Map(rows), bodies, tehsilElevation }).map(downloadedRecord);
  });
}

type RowsByUid = ReadonlyMap<string, readonly TableRow[]>;

/** Rows of a table by the micro-watershed that their keys begin with, as `DataStore.rowsOf` finds them; undefined where there is no such table. */
async function rowsByUid(data: KylSources['data'], tehsilId: number, sheet: string): Promise<RowsByUid | undefined> {
  const table = await data.table(tehsilId, sheet);
  return table && Map.groupBy(table.rows, (row) => String(row[table.key]).split(':', 1)[0] ?? '');
}
