import type { PlaceBundle } from '@headwater/core';
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import type { Dirent } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File names of a tehsil's folder. */
export const PLACE_FILES = { boundary: 'boundary.geojson', mws: 'mws.geojson', villages: 'villages.geojson' } as const;

/**
 * True for an entry that `readPlaces` opens. If the entry is a pipe, a device or a link out of the folder,
 * `readPlaces` reports a problem.
 */
export const isPlaceFile = (entry: Dirent): boolean =>
  !entry.isDirectory() && entry.name.toLowerCase().endsWith('.geojson');

/** Maximum depth of folders that are read below a folder of places. */
export const MAX_DEPTH = 4;

/** Writes a tehsil as a folder (its format: README.md next to this source), without files for empty parts. */
export async function writePlace(dir: string, bundle: PlaceBundle): Promise<void> {
  const { state, district, tehsil, geometry, mws, villages } = bundle;
  const names = { state, district, tehsil };
  await mkdir(dir, { recursive: true });
  const write = async (file: string, features: readonly Feature[]): Promise<void> => {
    if (features.length === 0) return;
    await writeFile(join(dir, file), `${JSON.stringify({ type: 'FeatureCollection', features })}\n`);
  };
  await write(PLACE_FILES.boundary, geometry === null ? [] : [feature(names, geometry)]);
  await write(
    PLACE_FILES.mws,
    mws.map((m) => feature({ uid: m.uid }, m.geometry)),
  );
  await write(
    PLACE_FILES.villages,
    villages.map((v) => feature({ vill_ID: v.id, vill_name: v.name }, v.geometry)),
  );
}

function feature(properties: Record<string, string | number>, geometry: Polygon | MultiPolygon): Feature {
  return { type: 'Feature', properties, geometry };
}
