import { type TehsilNames } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import { prepared, preparedJson } from '../prepared.ts';
import type { Reply } from '../reply.ts';
import { absent } from '../wire/absent.ts';
import { kylCells, kylFeatures } from '../wire/schemas/kyl-download.ts';
import { VILLAGE_SHEETS, villageRecords } from '../wire/schemas/kyl-villages.ts';
import type { KylQuery, NamedPlace } from '../wire/schemas/public-places.ts';
import { XLSX_TYPE } from '../workbook/tehsil-workbook.ts';
import { workbookBytes } from '../workbook/write-workbook.ts';
import { namedTehsil } from './named-tehsil.ts';
import { attachment, placeFileName } from './workbook.ts';

/** Media type of GeoJSON (RFC 7946). */
export const GEOJSON_TYPE = 'application/geo+json';

/** Indicators of every micro-watershed of a tehsil, in the form that is asked for. Throws `not_found` where no table tells of any. */
export async function kylDownload(deps: ServiceDeps, { fileType, ...place }: KylQuery): Promise<Reply> {
  const names = await namedTehsil(deps, place);
  if (fileType === 'json') return await deps.kyl.json(names.tehsilId);
  const records = await deps.kyl.records(names.tehsilId);
  if (fileType === 'xlsx') {
    const columns = Object.keys(records[0] ?? {});
    const rows = records.map((record) => kylCells(record, columns));
    const bytes = await workbookBytes([{ name: 'KYL_filter_data', columns, rows }]);
    return prepared(bytes, { type: XLSX_TYPE, headers: savedAs(names, fileType) });
  }
  const mws = await deps.stores.places.mwsOf(names.tehsilId);
  const text = JSON.stringify(kylFeatures(records, mws));
  return prepared(text, { type: GEOJSON_TYPE, headers: savedAs(names, fileType) });
}

const savedAs = (names: TehsilNames, type: string): Readonly<Record<string, string>> =>
  attachment(`${placeFileName(names)}_KYL_filter_data.${type}`);

/** What is known of each village of a tehsil. Throws `not_found` where none is known. */
export async function kylVillages(deps: ServiceDeps, place: NamedPlace): Promise<Reply> {
  const { tehsilId, tehsil } = await namedTehsil(deps, place);
  const { data, places } = deps.stores;
  const [villages, people, assets] = await Promise.all([
    places.villagesOf(tehsilId),
    data.table(tehsilId, VILLAGE_SHEETS.people),
    data.table(tehsilId, VILLAGE_SHEETS.assets),
  ]);
  const records = villageRecords(
    villages.map(({ id }) => id),
    { people, assets },
  );
  if (records.length === 0) throw absent('villages', { tehsil });
  return preparedJson(records);
}
