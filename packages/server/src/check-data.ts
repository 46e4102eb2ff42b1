import { join } from 'node:path';
import {
  type Box,
  type EarthObservation,
  type ElevationSource,
  isDomainError,
  type PlaceBundle,
} from '@headwater/core';
import { countOf } from '@headwater/core/values';
import { searchBox } from '@headwater/core/places';
import { findUnnamedFiles, type PlacesRead, readPlaces } from '@headwater/ingest';
import { FIRST_YEAR, periodOf } from '@headwater/land-cover';
import { shellWord } from '@headwater/http-service';
import { printedCommand } from './config/printed-command.ts';
import type { Config } from './config/read-config.ts';
import { REMEDIES } from './remedies.ts';
import { COUNTED, leftOutLine, yearLines } from './scene-lines.ts';

/** Inputs and output of a check of the data. */
export interface DataCheck {
  readonly dataDir: string;
  readonly earthObservation: EarthObservation;
  readonly elevation: ElevationSource;
  /** Scenes with more cloud (percent) are not read. */
  readonly maxCloudCover: number;
  readonly now: Date;
  /** Variables from the shell, which printed commands repeat. */
  readonly shell: Config['shell'];
  readonly print: (line: string) => void;
}

/**
 * Prints places, scenes per hydrological year, elevations and missing bands. Reads only DATA_DIR and the STAC APIs.
 * Returns true if every place has a boundary and a year with enough usable scenes. Returns false without a place, or if
 * a file or an Item was left out.
 */
export async function checkData(check: DataCheck): Promise<boolean> {
  const folder = join(check.dataDir, 'places');
  const read = await readPlaces(folder);
  printPlaces(read, folder, check.print);
  if (read.bundles.length > 0) check.print(COUNTED);
  let isGood = read.bundles.length > 0 && read.problems.length === 0;
  for (const bundle of read.bundles) {
    check.print('');
    check.print(placeLine(bundle));
    const hasScenes = bundle.geometry !== null && (await checkScenes({ ...bundle, geometry: bundle.geometry }, check));
    isGood = isGood && hasScenes;
    if (bundle.geometry !== null)
      check.print(`  ${await elevationLine(searchBox(bundle.geometry, bundle.mws), check)}`);
  }
  const lines = await unnamedLines(join(check.dataDir, 'eo'), check);
  if (lines.length > 0) check.print('');
  for (const line of lines) check.print(line);
  return isGood;
}

/**
 * Lines about files that no catalogue names, or that no run needs. They are no fault, because a catalogue need not
 * contain all images.
 */
async function unnamedLines(folder: string, { shell }: Pick<DataCheck, 'shell'>): Promise<readonly string[]> {
  const shown = (paths: readonly string[]): string =>
    `${countOf(paths.length, 'file')} in ${folder} (a folder of a scene counts as one), the first is ${paths[0] ?? ''}.`;
  try {
    const { unread, unneeded, isWhole } = await findUnnamedFiles(folder);
    const make = `Make a catalogue of them: ${printedCommand(shell, `make-catalog ${shellWord(folder)}`)}. It skips folders that have a catalogue: move files out of them first.`;
    return [
      ...(unread.length === 0 ? [] : [`NOT READ: no catalogue names ${shown(unread)} ${make}`]),
      ...(unneeded.length === 0
        ? []
        : [`not needed: runs read copies, or a newer processing, of ${shown(unneeded)} You may move or delete them.`]),
      ...(isWhole ? [] : [`${folder} has too many files: only the first were compared with the catalogues.`]),
    ];
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return [`files in ${folder} cannot be compared with the catalogues: ${error.message}`];
  }
}

const NO_TEHSIL =
  'put a GeoJSON file with the boundary of a tehsil there, with the properties state, district and tehsil (packages/ingest/src/places/README.md)';
const NOT_IMPORTED = 'imported places are not listed here: they are in the database, which this command does not read';

function printPlaces({ bundles, problems, notes }: PlacesRead, folder: string, print: DataCheck['print']): void {
  const count = bundles.length;
  if (count === 0) print(`no tehsil in ${folder}: ${NO_TEHSIL}`);
  else print(`${count} tehsil${count === 1 ? '' : 's'} in ${folder}`);
  print(NOT_IMPORTED);
  for (const { file, reason } of problems) print(`skipped ${file}: ${reason}`);
  for (const { file, note } of notes) print(`repaired ${file}: ${note}`);
}

function placeLine({ tehsil, district, state, geometry, mws, villages }: PlaceBundle): string {
  const boundary = geometry === null ? 'NO BOUNDARY: nothing can be computed' : 'boundary';
  const areas = mws.length === 0 ? 'no micro-watersheds: rasters only' : countOf(mws.length, 'micro-watershed');
  return `${tehsil} (${district}, ${state}): ${boundary}, ${areas}, ${countOf(villages.length, 'village')}`;
}

/** Line about the elevations of a place. Missing elevations are no fault, because land cover does not need them. */
async function elevationLine(box: Box, { elevation }: DataCheck): Promise<string> {
  try {
    const found = await elevation.demFor(box);
    if (found === undefined) return `no elevations that cover the whole place: ${REMEDIES.elevation}`;
    return `elevations: ${found.title}, ${countOf(found.rasters.length, 'file')}`;
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return `elevations cannot be searched: ${error.message}`;
  }
}

type Bounded = PlaceBundle & { readonly geometry: NonNullable<PlaceBundle['geometry']> };

async function checkScenes(
  { geometry, mws }: Bounded,
  { earthObservation, maxCloudCover, now, print }: DataCheck,
): Promise<boolean> {
  try {
    const onWait = (note: string | null): void => (note === null ? undefined : print(`  ${note}`));
    const box = searchBox(geometry, mws);
    const { start } = periodOf([FIRST_YEAR]);
    const query = { bbox: box, start, end: now.toISOString(), onWait };
    const { scenes, rejected } = await earthObservation.search(query);
    const { lines, remedies, isGood } = await yearLines(scenes, { box, maxCloudCover, now });
    for (const line of lines) print(`  ${line}`);
    for (const remedy of remedies) print(`  remedy for ${remedy}`);
    if (scenes.length === 0) print(`  no scene: ${REMEDIES.scenes}`);
    if (rejected.length > 0) print(`  ${leftOutLine(rejected)}`);
    return isGood && scenes.length > 0 && rejected.length === 0;
  } catch (error) {
    if (!isDomainError(error)) throw error;
    print(`  scenes cannot be searched: ${error.message}`);
    return false;
  }
}
