import type { Deliverable, PlaceBundle, Run } from '@headwater/core';
import type { NewRun, RunStore } from '@headwater/core/ports';
import type { NewUser, Stores } from '@headwater/http-service/testing';
import type { MultiPolygon, Polygon } from 'geojson';
import { assert, vi } from 'vitest';

/** Returns the stores of the current test, which are empty at first. */
export type Get = () => Stores;

/** Builds a user. */
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

/** Successive values of `isActive`, each with the session version after the change. */
export const ACTIVITY_STEPS = [
  [true, 0],
  [false, 1],
  [false, 1],
  [true, 1],
  [false, 2],
] as const;

/** A counter-clockwise square of 0.5 degrees; `lon` and `lat` are the lower left corner. */
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

/** A polygon with a hole, with coordinates that need all digits of a double. */
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

/** A geometry of two parts; the first part has a hole. */
export const parts: MultiPolygon = {
  type: 'MultiPolygon',
  coordinates: [holed.coordinates, square(80, 20).coordinates],
};

/** Builds a tehsil with three micro-watersheds and two villages. */
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

/** Builds a run. Without a fingerprint in `rest`, the fingerprint depends on the id. */
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

/** Claims a run; throws if no run is due. */
export async function claimed(runs: RunStore, options = worker('w1')): Promise<Run> {
  const run = await runs.claim(options);
  assert(run !== undefined, 'a run was due, but claim found none');
  return run;
}

/** Waits until the lease of a run has expired, and claims the run. */
export async function claimedLater(runs: RunStore, options = worker('w2')): Promise<Run> {
  return await vi.waitFor(() => claimed(runs, options), { interval: 2, timeout: 30_000 });
}

/** Enqueues a run and claims it with a lease of 1 ms. */
export async function abandoned(runs: RunStore, id: string): Promise<Run> {
  await runs.enqueue(newRun(id));
  return await claimed(runs, worker('w1', 1));
}

/** Builds a deliverable with an Item for each name, and with a raster layer. */
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

/** Builds a STAC Item. Stores must keep the order of its members, which a `jsonb` column would change. */
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
