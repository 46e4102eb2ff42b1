import { join } from 'node:path';
import { type EarthObservation, isDomainError, type PlaceBundle } from '@headwater/core';
import { type PlacesRead, readPlaces } from '@headwater/ingest';
import { REMEDIES } from './remedies.ts';
import { leftOutLine, yearLines } from './scene-lines.ts';

/** Start of the first hydrological year that land cover takes, less its margin: Sentinel-2 begins. */
const FIRST_DAY = '2016-04-01T00:00:00.000Z';

/** What a check of the data looks at, and where it says what it finds. */
export interface DataCheck {
  readonly dataDir: string;
  readonly earthObservation: EarthObservation;
  readonly now: Date;
  readonly print: (line: string) => void;
}

/**
 * Lists places, scenes per hydrological year and missing bands, from DATA_DIR and the STAC API alone: no database, no service.
 * True where nothing was skipped and every place has a boundary and scenes.
 */
export async function checkData(check: DataCheck): Promise<boolean> {
  const folder = join(check.dataDir, 'places');
  const read = await readPlaces(folder);
  tellPlaces(read, folder, check.print);
  let isGood = read.bundles.length > 0 && read.problems.length === 0;
  for (const bundle of read.bundles) {
    check.print('');
    check.print(placeLine(bundle));
    const hasScenes = bundle.geometry !== null && (await checkScenes(bundle.geometry, check));
    isGood = isGood && hasScenes;
  }
  return isGood;
}

function tellPlaces({ bundles, problems, notes }: PlacesRead, folder: string, print: DataCheck['print']): void {
  const count = bundles.length;
  if (count === 0) print(`no tehsil in ${folder}; its layout is in packages/ingest/src/places/README.md`);
  else print(`${count} tehsil${count === 1 ? '' : 's'} in ${folder}`);
  for (const { file, reason } of problems) print(`skipped ${file}: ${reason}`);
  for (const { file, note } of notes) print(`mended ${file}: ${note}`);
}

function placeLine({ tehsil, district, state, geometry, mws, villages }: PlaceBundle): string {
  const boundary = geometry === null ? 'NO BOUNDARY: nothing can be computed' : 'boundary';
  const areas = mws.length === 0 ? 'no micro-watersheds: rasters only' : `${mws.length} micro-watersheds`;
  return `${tehsil} (${district}, ${state}): ${boundary}, ${areas}, ${villages.length} villages`;
}

type Outline = NonNullable<PlaceBundle['geometry']>;

async function checkScenes(outline: Outline, { earthObservation, now, print }: DataCheck): Promise<boolean> {
  try {
    const onWait = (note: string | null): void => (note === null ? undefined : print(`  ${note}`));
    const query = { bbox: boxOf(outline), start: FIRST_DAY, end: now.toISOString(), onWait };
    const { scenes, rejected } = await earthObservation.search(query);
    const { lines, isGood } = await yearLines(scenes);
    for (const line of lines) print(`  ${line}`);
    if (scenes.length === 0) print(`  no scene: ${REMEDIES.scenes}`);
    if (rejected.length > 0) print(`  ${leftOutLine(rejected)}`);
    return isGood && scenes.length > 0 && rejected.length === 0;
  } catch (error) {
    if (!isDomainError(error)) throw error;
    print(`  scenes cannot be searched: ${error.message}`);
    return false;
  }
}

/** Lon/lat box of a boundary. */
function boxOf(outline: Outline): readonly [number, number, number, number] {
  const polygons = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon = NaN, lat = NaN] of polygons.flatMap(([ring = []]) => ring)) {
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return [west, south, east, north];
}
