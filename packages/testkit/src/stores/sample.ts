import type { Deliverable, PlaceBundle, Run } from '@headwater/core';
import type { NewRun, RunStore } from '@headwater/core/ports';
import type { NewUser, Stores } from '@headwater/identity';
import type { MultiPolygon, Polygon } from 'geojson';
import { assert, vi } from 'vitest';

/** How a suite gets at the stores under test: always those of the current test, empty at its start. */
export type Get = () => Stores;

/** A user to store; the name is what most tests care about. */
export function newUser(username: string, rest: Partial<NewUser> = {}): NewUser {
  return {
    username,
    email: `${username}@example.org`,
    firstName: 'Asha',
    lastName: 'Devi',
    contactNumber: null,
    isActive: true,
    isSuperuser: false,
    mayCompute: true,
    mustChangePassword: false,
    passwordHash: 'scrypt$1$abc',
    ...rest,
  };
}

/** Changes of a user's activity one after the other, and the version of his sessions after each: being disabled ends them, once. */
export const ACTIVITY_STEPS = [
  [true, 0],
  [false, 1],
  [false, 1],
  [true, 1],
  [false, 2],
] as const;

/** A square of side 0.5 degrees with its lower left corner there, counter-clockwise. */
export function square(lon: number, lat: number): Polygon {
  const ring = [
    [lon, lat],
    [lon + 0.5, lat],
    [lon + 0.5, lat + 0.5],
    [lon, lat + 0.5],
    [lon, lat],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** Coordinates that lose digits in any text form shorter than a double's, one ring with a hole. */
export const holed: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [77.12345678901234, 0.1234567890123456],
      [77.9, 0.1],
      [77.9, 13.000000000000002],
      [77.1, 13.1],
      [77.12345678901234, 0.1234567890123456],
    ],
    [
      [77.3, 1.1],
      [77.3, 2.2],
      [77.4, 2.2],
      [77.3, 1.1],
    ],
  ],
};

/** Two parts, the first with a hole. */
export const parts: MultiPolygon = {
  type: 'MultiPolygon',
  coordinates: [holed.coordinates, square(80, 20).coordinates],
};

/** A tehsil with three micro-watersheds and two villages. */
export function bundle(rest: Partial<PlaceBundle> = {}): PlaceBundle {
  return {
    state: 'Jharkhand',
    district: 'West Singhbhum',
    tehsil: 'Chaibasa',
    geometry: parts,
    mws: [
      { uid: '12_9', geometry: square(77, 12) },
      { uid: '12_100174', geometry: holed },
      { uid: '12_100175', geometry: parts },
    ],
    villages: [
      { id: 641_000, name: 'Tantnagar', geometry: square(77, 12) },
      { id: 0, name: 'none', geometry: holed },
    ],
    ...rest,
  };
}

/** A run to enqueue; every id has a fingerprint of its own unless one is given. */
export function newRun(id: string, rest: Partial<NewRun> = {}): NewRun {
  return {
    id,
    pipeline: 'lulc',
    params: { tehsilId: 1, years: [2020, 2021] },
    fingerprint: `fingerprint of ${id}`,
    ownerId: 1,
    ...rest,
  };
}

/** Options of a worker's claim. */
export function worker(workerId: string, leaseMs = 60_000): Parameters<RunStore['claim']>[0] {
  return { workerId, leaseMs, pipelines: ['lulc'], maxAttempts: 3, queue: 'nrm' };
}

/** Claims a run that is known to be due. */
export async function claimed(runs: RunStore, options = worker('w1')): Promise<Run> {
  const run = await runs.claim(options);
  assert(run !== undefined, 'a run was due, but claim found none');
  return run;
}

/** Claims a run as soon as its lease has ended. */
export async function claimedLater(runs: RunStore, options = worker('w2')): Promise<Run> {
  return await vi.waitFor(() => claimed(runs, options), { interval: 2, timeout: 30_000 });
}

/** A claimed run whose lease ends at once. */
export async function abandoned(runs: RunStore, id: string): Promise<Run> {
  await runs.enqueue(newRun(id));
  return await claimed(runs, worker('w1', 1));
}

/** What a run publishes: one raster Item per name, then one layer. */
export function deliverable(names: readonly string[] = ['lulc_2020', 'lulc_vector'], note = 'first'): Deliverable {
  return {
    items: names.map((name) => ({
      id: name,
      collectionPath: 'jharkhand/west_singhbhum/chaibasa',
      item: stacItem(name, note),
    })),
    layers: [
      {
        workspace: 'LULC_level_3',
        layerName: 'LULC_20_21_chaibasa_level_3',
        datasetName: 'LULC',
        layerType: 'raster',
        tehsilId: 1,
        itemId: 'lulc_2020',
        assetKey: `${note}/1/lulc.tif`,
        styleKey: null,
      },
    ],
    timings: { read: 1.5, publish: 0 },
  };
}

/** A STAC Item, as much of it as stores look at, in a member order that JSON columns would change. */
export function stacItem(id: string, note: string): Readonly<Record<string, unknown>> {
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    id,
    geometry: square(85.5, 22.25),
    bbox: [85.5, 22.25, 86, 22.75],
    properties: {
      title: note,
      start_datetime: '2020-07-01T00:00:00Z',
      end_datetime: '2021-06-30T23:59:59Z',
      datetime: null,
    },
    assets: { data: { href: 'https://example.org/a?b=c&d=%20' } },
    links: [],
  };
}
