import { writeGeoTiff } from '@headwater/raster';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dumpText, keyRecord, userRecord } from './django.fixture.ts';

/** Sizes of a generated live system. */
export interface LiveWorld {
  readonly users: number;
  readonly keys: number;
  readonly tehsils: number;
  readonly layers: number;
}

export const TRUST = '0190a000-0000-4000-8000-00000000000a';
export const STATE = 'Aland';
/** Names of the tehsil with this number. */
export const placeAt = (at: number) => ({ state: STATE, district: `Bland ${at % 5}`, tehsil: `Cland ${at}` });
/** Text of the key with this number. */
export const keyAt = (at: number): string => `K${String(at).padStart(7, '0')}.${String(at).padStart(32, 'x')}`;
export const nameAt = (at: number): string => `user${at}`;
/** Id of a user in the live system; above 100, because accounts of the test's own service can have ids up to 100. */
export const idAt = (at: number): number => 101 + at;

const square = (west: number, south: number, size: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});
const cornerOf = (tehsil: number) => ({ west: 76 + (tehsil % 10) * 0.1, south: 17 + Math.floor(tehsil / 10) * 0.1 });
const collection = (features: readonly object[]): string => JSON.stringify({ type: 'FeatureCollection', features });

/** Writes the dump of a generated live system and its files; returns the path of the dump. */
export async function writeLiveWorld(folder: string, world: LiveWorld, more: readonly object[] = []): Promise<string> {
  const { users, keys, tehsils, layers } = world;
  await mkdir(join(folder, 'files'), { recursive: true });
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
  const places = numbers(tehsils).map((at) => {
    const { west, south } = cornerOf(at);
    return { type: 'Feature', properties: placeAt(at), geometry: square(west, south, 0.08) };
  });
  await writeFile(join(folder, 'files', 'places.geojson'), collection(places));
  const mws = numbers(tehsils).map((at) => {
    const { west, south } = cornerOf(at);
    return { type: 'Feature', properties: { ...placeAt(at), uid: `12_${at}` }, geometry: square(west, south, 0.08) };
  });
  await writeFile(join(folder, 'files', 'mws.geojson'), collection(mws));
  const records = [
    { type: 'organization', id: TRUST, name: 'Sample Trust' },
    { type: 'group', id: 1, name: 'Organization Admin' },
    { type: 'group', id: 2, name: 'Project Manager' },
    ...numbers(users).map((at) =>
      userRecord(idAt(at), nameAt(at), {
        organization: at % 2 === 0 ? TRUST : null,
        groups: at % 10 === 0 ? [1] : [],
        account_type: 'org',
      }),
    ),
    { type: 'project', id: 7, name: 'Wells', organization: TRUST, members: [{ user: idAt(0), group: 2 }] },
    ...numbers(keys).map((at) => keyRecord(keyAt(at), idAt(at % users))),
    { type: 'boundaries', id: 'places', kind: 'places', file: { path: 'files/places.geojson' } },
    { type: 'boundaries', id: 'mws', kind: 'mws', file: { path: 'files/mws.geojson' } },
    ...numbers(tehsils).map((at) => ({ type: 'tehsil', id: 5000 + at, ...placeAt(at), is_active: true })),
    { type: 'dataset', id: 1, name: 'Drainage', layer_type: 'vector', workspace: 'drainage', style_name: '' },
    ...(await Promise.all(numbers(layers).map(async (at) => await layerAt(folder, at, tehsils)))),
    ...more,
  ];
  const path = join(folder, 'live.jsonl');
  const license = { license: 'CC-BY-4.0', providers: [{ name: 'Live system', roles: ['producer'] }] };
  await writeFile(path, dumpText(records, license));
  return path;
}

/** Writes the file of a layer and returns its record. Every second layer is a raster. */
async function layerAt(folder: string, at: number, tehsils: number): Promise<object> {
  const tehsil = at % tehsils;
  const { west, south } = cornerOf(tehsil);
  const kind = `kind${Math.floor(at / tehsils)}`;
  const isRaster = at % 2 === 1;
  const file = `files/layer${at}.${isRaster ? 'tif' : 'geojson'}`;
  const path = join(folder, file);
  if (isRaster) {
    const grid = {
      crs: 'EPSG:4326',
      west,
      north: south + 0.08,
      pixelWidth: 0.001,
      pixelHeight: 0.001,
      cols: 80,
      rows: 80,
    };
    const data = Float32Array.from({ length: 6400 }, (_, index) => (index + at) % 251);
    await writeGeoTiff(path, { grid, data, nodata: -9999, overviews: 'none', predictor: 1, tileSize: 16 });
  } else {
    const features = Array.from({ length: 20 }, (_, index) => ({
      type: 'Feature',
      properties: { uid: `12_${tehsil}`, order: index + at },
      geometry: square(west + 0.003 * index, south + 0.003 * index, 0.002),
    }));
    await writeFile(path, collection(features));
  }
  const place = placeAt(tehsil);
  const slug = `${place.district}_${place.tehsil}`.toLowerCase().replaceAll(' ', '_');
  return {
    type: 'layer',
    id: at + 1,
    layer_name: at % 4 < 2 ? `${slug}_${kind}` : `${kind}_${slug}`,
    workspace: 'drainage',
    dataset: 'Drainage',
    ...place,
    title: `Layer ${kind}`,
    description: 'Moved from the live system.',
    start: '2020-07-01',
    end: '2021-06-30',
    file: { path: file },
  };
}
