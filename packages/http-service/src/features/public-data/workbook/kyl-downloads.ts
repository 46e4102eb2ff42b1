import type { DataStore, PlaceLookups } from '@headwater/core/ports';
import type { PlaceStore, TableRow, TehsilNames } from '@headwater/core';
import { createResponseCache, type PreparedReply } from '../../../caching/response-cache.ts';
import { createMeanElevations } from '../sheets/mean-elevations.ts';
import { prepared, preparedJson } from '../../../caching/prepared.ts';
import { absent } from '../../../wire/absent.ts';
import { downloadedRecord, kylCells, kylFeatures, type KylMembers } from '../schemas/kyl-download.ts';
import { meanElevation } from '@headwater/indicators';
import { DEM_SHEET } from '../schemas/kyl-land.ts';
import { kylRecords, RECORD_SHEETS, rowOfAll, WATER_BODIES_SHEET } from '../schemas/kyl-record.ts';
import { VILLAGE_SHEETS, villageRecords } from '../schemas/kyl-villages.ts';
import type { KylQuery } from '../schemas/public-places.ts';
import { XLSX_TYPE } from './tehsil-workbook.ts';
import { workbookBytes } from './write-workbook.ts';

/** Media type of GeoJSON (RFC 7946). */
export const GEOJSON_TYPE = 'application/geo+json';

/** Sources of the downloads of indicators. */
export interface KylSources {
  readonly data: Pick<DataStore, 'tableVersionsOf' | 'tableHead' | 'table'>;
  readonly lookups: Pick<PlaceLookups, 'mwsUids' | 'mwsVersion' | 'villageIds'>;
  readonly places: Pick<PlaceStore, 'mwsOf'>;
}

/** File format of the indicators. */
export type KylForm = KylQuery['fileType'];

/** Files with the indicators of a tehsil: for its micro-watersheds, and for its villages. */
export interface KylDownloads {
  /** Records of a tehsil's micro-watersheds. Throws `not_found` if no table has indicators. */
  records(tehsilId: number): Promise<readonly KylMembers[]>;
  /** The records as a file, cached by version. */
  file(tehsilId: number, form: KylForm): Promise<PreparedReply>;
  /** Data of each village, cached by version. Throws `not_found` if no village is known. */
  villages(tehsil: TehsilNames): Promise<PreparedReply>;
  /** Mean elevation of a tehsil, metres; undefined if no table has it. */
  elevation(tehsilId: number): Promise<number | undefined>;
}

/**
 * Size of the cache, bytes. A file of at most half this size is cached, such as a thousand outlines of 700 positions.
 */
const MOST_BYTES = 64 * 1024 * 1024;

/** Creates the downloads with an LRU cache. */
export function createKylDownloads(sources: KylSources): KylDownloads {
  const { data, lookups } = sources;
  const cache = createResponseCache<string>(MOST_BYTES);
  const tables = async (tehsilId: number): Promise<unknown> =>
    (await data.tableVersionsOf(tehsilId)).map(({ name, runId, version }) => [name, runId, version]);
  return {
    records: (tehsilId) => recordsOf(sources, tehsilId),
    file: async (tehsilId, form) => {
      // The version is read before the data. After a change between both reads, the next request finds another version
      // and builds the file again.
      const version = JSON.stringify([await lookups.mwsVersion(tehsilId), await tables(tehsilId)]);
      return await cache.of(`${form} ${tehsilId}`, { version, make: () => fileOf(sources, tehsilId, form) });
    },
    villages: async ({ tehsilId, tehsil }) => {
      const ids = await lookups.villageIds(tehsilId);
      const version = JSON.stringify([ids, await tables(tehsilId)]);
      const make = async (): Promise<PreparedReply> => {
        const people = await data.table(tehsilId, VILLAGE_SHEETS.people);
        const records = villageRecords(ids, { people, assets: await data.table(tehsilId, VILLAGE_SHEETS.assets) });
        if (records.length === 0) throw absent('villages', { tehsil });
        return preparedJson(records);
      };
      return await cache.of(`villages ${tehsilId}`, { version, make });
    },
    elevation: createMeanElevations(data).of,
  };
}

async function fileOf(sources: KylSources, tehsilId: number, form: KylForm): Promise<PreparedReply> {
  const records = await recordsOf(sources, tehsilId);
  if (form === 'json') return preparedJson(records);
  if (form === 'xlsx') {
    const columns = Object.keys(records[0] ?? {});
    const rows = records.map((record) => kylCells(record, columns));
    return prepared(await workbookBytes([{ name: 'KYL_filter_data', columns, rows }]), { type: XLSX_TYPE });
  }
  const outlines = await sources.places.mwsOf(tehsilId);
  return prepared(JSON.stringify(kylFeatures(records, outlines)), { type: GEOJSON_TYPE });
}

async function recordsOf({ data, lookups }: KylSources, tehsilId: number): Promise<readonly KylMembers[]> {
  const sheets = new Map<string, RowsByUid>();
  for (const sheet of [...RECORD_SHEETS, WATER_BODIES_SHEET]) {
    const rows = await rowsByUid(data, tehsilId, sheet);
    if (rows !== undefined) sheets.set(sheet, rows);
  }
  if (sheets.size === 0) throw absent('tables', {});
  const uids = await lookups.mwsUids(tehsilId);
  const tehsilElevation = meanElevation([...(sheets.get(DEM_SHEET)?.values() ?? [])].flat());
  return uids.flatMap((uid) => {
    const rows = RECORD_SHEETS.flatMap((sheet): [string, TableRow][] => {
      const row = rowOfAll(sheets.get(sheet)?.get(uid) ?? []);
      return row === undefined ? [] : [[sheet, row]];
    });
    const bodies = sheets.get(WATER_BODIES_SHEET)?.get(uid) ?? [];
    return kylRecords(uid, { rows: new Map(rows), bodies, tehsilElevation }).map(downloadedRecord);
  });
}

type RowsByUid = ReadonlyMap<string, readonly TableRow[]>;

/** Groups rows by uid, the part of the key before the first `:`. */
async function rowsByUid(data: KylSources['data'], tehsilId: number, sheet: string): Promise<RowsByUid | undefined> {
  const table = await data.table(tehsilId, sheet);
  return table && Map.groupBy(table.rows, (row) => String(row[table.key]).split(':', 1)[0] ?? '');
}
