import { ImportNotes } from '../shared/import-notes.ts';
import { isDomainError, type Place, type PublishedSeries } from '@headwater/core';
import type { UidSeries } from '@headwater/core/ports';
import { type Importer, type ImportRequest, badFile, throwIfStopped, type ImportDeps } from '../shared/import-deps.ts';
import { importPlace } from '../shared/import-place.ts';
import { publishImport } from '../shared/publish-import.ts';
import { SeriesCollector } from './series-collector.ts';
import { readSeriesCsv } from './read-series-csv.ts';
import { readSeriesFeatures } from './read-series-features.ts';
import { placeInName, seriesInName } from './series-forms.ts';

const KIND = 'series';
/** Endings of files that the importer reads. */
export const SERIES_ENDINGS = ['.geojson', '.json', '.csv'];

/**
 * Creates an importer of a tehsil's series from fortnightly layers as GeoJSON (`deltaG_fortnight_{district}_{tehsil}`,
 * `ndvi_timeseries_{district}_{tehsil}_{crop|shrub|tree}`) or from CSV. An imported series replaces the whole stored
 * series.
 */
export function seriesImporter(deps: ImportDeps): Importer {
  return {
    kind: KIND,
    endings: SERIES_ENDINGS,
    run: async (request) => {
      throwIfStopped(request);
      const { tehsil } = await seriesPlace(deps.stores.places, request);
      const known = await deps.stores.lookups.mwsUids(tehsil.id);
      const [findings, collected] = [new ImportNotes(), new SeriesCollector(request)];
      const task = { request, uids: new Set(known), findings, collected };
      await (/\.csv$/i.test(request.fileName) ? readSeriesCsv(task) : readSeriesFeatures(task));
      const { series, ...count } = await changesOf(collected.published(tehsil.id), known, deps);
      throwIfStopped(request);
      if (series.length > 0 && request.isTrial !== true) {
        const make = async () => ({ items: [], layers: [], series, timings: {} });
        await publishImport(deps, { kind: KIND, request, tehsilId: tehsil.id, make });
      }
      return { kind: KIND, fileName: request.fileName, ...count, ...findings.report };
    },
  };
}

/**
 * Tehsil of a file. An unknown cover in the file name is read as part of the place, so the error also mentions the
 * cover.
 */
async function seriesPlace(places: ImportDeps['stores']['places'], request: ImportRequest): Promise<Place> {
  const hasNoCover = /^ndvi_timeseries_/i.test(request.fileName) && seriesInName(request.fileName) === undefined;
  try {
    return await importPlace(places, request, placeInName);
  } catch (error) {
    if (!hasNoCover || !isDomainError(error) || error.code !== 'validation') throw error;
    throw badFile(
      request,
      'its name ends with an unknown place, or names no known cover; name the file ndvi_timeseries_{district}_{tehsil}_crop, _shrub or _tree.',
    );
  }
}

interface Changes {
  readonly series: readonly PublishedSeries[];
  /** Number of micro-watersheds with a changed series. */
  readonly stored: number;
  /** Number of micro-watersheds whose series are all unchanged. */
  readonly unchanged: number;
}

async function changesOf(
  imported: readonly PublishedSeries[],
  uids: readonly string[],
  { stores }: ImportDeps,
): Promise<Changes> {
  if (imported.length === 0) return { series: [], stored: 0, unchanged: 0 };
  const changed = new Set<PublishedSeries>();
  let [stored, unchanged] = [0, 0];
  for (const uid of uids) {
    const published = new Map(
      (await stores.data.seriesOf(imported[0]?.tehsilId ?? 0, uid)).map((each) => [each.name, each]),
    );
    const differing = imported.filter((series) => !isUnchanged(series, uid, published.get(series.name)));
    for (const series of differing) changed.add(series);
    if (imported.every(({ values }) => !Object.hasOwn(values, uid))) continue;
    if (differing.length > 0) stored += 1;
    else unchanged += 1;
  }
  return { series: imported.filter((series) => changed.has(series)), stored, unchanged };
}

/**
 * True if the imported and the published series have equal days, values, unit and description for the micro-watershed.
 * Also true if neither series has it.
 */
function isUnchanged(imported: PublishedSeries, uid: string, published: UidSeries | undefined): boolean {
  const values = Object.hasOwn(imported.values, uid) ? imported.values[uid] : undefined;
  if (values === undefined || published === undefined) return values === undefined && published === undefined;
  const isSameKind = published.unit === (imported.unit ?? null) && published.description === imported.description;
  return isSameKind && isEqual(published.dates, imported.dates) && isEqual(published.values, values);
}

const isEqual = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
