import type { MultiPolygon } from 'geojson';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { boxPolygon } from '../geo/outlines.ts';
import type { Pipeline } from '../pipelines/pipeline.ts';
import { placeFields } from '../pipelines/request-fields.ts';
import { findPlace } from '../places/find-place.ts';
import { principal } from './bench.fixture.ts';
import type { ElevationSource } from '../ports/earth-observation.ts';
import { needsWorld, type NeedsWorld } from './needs.fixture.ts';
import { createRunService } from './service.ts';
import { createRunSignals } from './signals.ts';
import type { RunEstimate } from './types.ts';

const request = z.object({ ...placeFields, year: z.int() });
const params = z.object({ tehsilId: z.int(), year: z.int() });
type TilePipeline = Pipeline<z.infer<typeof request>, z.infer<typeof params>>;

const EMPTY: MultiPolygon = { type: 'MultiPolygon', coordinates: [] };
const AREA = { scope: 'district', state: 'Bihar', district: 'West' } as const;

let world: NeedsWorld;
let broken: Set<number>;
/** Estimates wait until a test resolves this promise. */
let gate: PromiseWithResolvers<void> | undefined;

const tiles: TilePipeline = {
  name: 'tiles',
  route: 'tiles_for_tehsil',
  aliases: [],
  summary: 'Tiles',
  examples: [{ name: 'first', request: { state: 'Bihar', district: 'West', tehsil: 'T0', year: 2020 } }],
  messages: { initiated: 'initiated', finished: 'finished' },
  request,
  params,
  steps: [{ name: 'work', weight: 1 }],
  resolve: async ({ year, ...names }, { places }) => {
    await gate?.promise;
    const { id: tehsilId, name } = (await findPlace(places, names)).tehsil;
    if (broken.has(tehsilId)) throw new DomainError('no_scenes', `${name} has no scenes.`);
    return { tehsilId, year };
  },
  fingerprint: ({ tehsilId, year }) => `${tehsilId}:${year}`,
  execute: async () => ({ items: [], layers: [], timings: {} }),
};

/** A pipeline that needs one table for each tehsil except the first. */
const needy: TilePipeline = {
  ...tiles,
  name: 'needy',
  route: 'needy_for_tehsil',
  dependsOn: ['lulc', 'areas'],
  needs: ({ tehsilId, year }) =>
    tehsilId === 1
      ? []
      : [
          {
            kind: 'table',
            name: `of ${tehsilId}`,
            tehsilId,
            pipeline: tehsilId > 4 ? 'lulc' : 'areas',
            request: { tehsilId, year },
          },
        ],
};

beforeEach(async () => {
  [broken, gate] = [new Set(), undefined];
  world = needsWorld([tiles, needy]);
  for (let at = 0; at < 8; at += 1) {
    const geometry = boxPolygon([85 + at / 10, 25, 85.1 + at / 10, 25.1]);
    const tehsil = { state: 'Bihar', district: 'West', tehsil: `T${at}`, geometry, mws: [], villages: [] };
    await world.stores.places.saveBundle(tehsil);
  }
});

afterEach(() => world.close());

const estimate = (pipeline: TilePipeline, owner = world.owner): Promise<RunEstimate> =>
  world.service.estimate(owner, { pipeline, request: { year: 2020 }, area: AREA }, new AbortController().signal);

describe('an estimate of a district', () => {
  it('lists the missing data of all examined tehsils, and the pipelines that make them', async () => {
    const found = await estimate(needy);
    expect(found).toMatchObject({ tehsils: 8, sampled: 4, lacking: 3, makers: ['lulc', 'areas'] });
    expect(found.missing?.message).toMatch(/table of \d, table of \d, table of \d\.$/);
    expect(await estimate(tiles)).toMatchObject({ sampled: 4, lacking: 0, missing: undefined, makers: [] });
  });

  it('leaves out tehsils that cannot be examined, and fails if no tehsil can be examined', async () => {
    broken.add(2).add(6);
    const found = await estimate(tiles);
    expect(found).toMatchObject({ tehsils: 8, sampled: 2 });
    expect(found.failed.map(({ district, tehsil, error }) => [district, tehsil, error.code])).toEqual([
      ['West', 'T1', 'no_scenes'],
      ['West', 'T5', 'no_scenes'],
    ]);
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) broken.add(id);
    await expect(estimate(tiles)).rejects.toMatchObject({ code: 'no_scenes' });
  });

  it('has the bytes and requests of elevation reads, scaled to all tehsils; it lacks them without a source of elevations', async () => {
    const high: TilePipeline = { ...tiles, name: 'high', needs: () => [{ kind: 'dem', box: [85, 25, 86, 26] }] };
    const read = async (elevation?: ElevationSource): Promise<RunEstimate['elevations']> => {
      const { stores, pipelines } = world;
      const service = createRunService({
        stores,
        pipelines,
        signals: createRunSignals(),
        clock: { now: () => new Date() },
        earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
        ...(elevation && { elevation }),
        pixels: { estimateFiles: async ({ paths }) => ({ bytes: 1000 * paths.length, requests: 3 }) },
      });
      const asked = { pipeline: high, request: { year: 2020 }, area: AREA };
      return (await service.estimate(world.owner, asked, new AbortController().signal)).elevations;
    };
    const facts = { title: 'DEM', license: 'other', attribution: 'A' };
    const rasters = [{ href: 'https://example.org/a.tif' }, { href: 'https://example.org/b.tif' }];
    // Only four of eight equally large tehsils are examined, so the sums are doubled.
    const found = await read({ demFor: async () => ({ ...facts, rasters }) });
    expect((found?.bytes ?? 0) / 16_000).toBeCloseTo(1, 1);
    expect(found?.requests).toBe(24);
    expect(await read()).toBeUndefined();
    expect((await estimate(tiles)).elevations).toEqual({ bytes: 0, requests: 0 });
  });

  it('leaves out a tehsil with an empty boundary, and is not scaled if the boundaries have no area', async () => {
    const shapes = { T8: boxPolygon([85, 25, 85, 25.1]), T9: boxPolygon([85, 25, 85, 25]), Empty: EMPTY };
    for (const [tehsil, geometry] of Object.entries(shapes))
      await world.stores.places.saveBundle({
        state: 'Bihar',
        district: 'Thin',
        tehsil,
        geometry,
        mws: [],
        villages: [],
      });
    const asked = { pipeline: tiles, request: { year: 2020 }, area: { ...AREA, district: 'Thin' } };
    const found = await world.service.estimate(world.owner, asked, new AbortController().signal);
    expect(found).toMatchObject({ tehsils: 3, sampled: 2, elevations: { bytes: 0, requests: 0 } });
  });

  it('is refused while an earlier estimate of the user or four other estimates have not ended', async () => {
    gate = Promise.withResolvers();
    const open = [1, 2, 3, 4].map((id) => estimate(tiles, principal(id)));
    await expect(estimate(tiles, principal(1))).rejects.toMatchObject({ code: 'throttled' });
    await expect(estimate(tiles, principal(5))).rejects.toMatchObject({ code: 'throttled' });
    gate.resolve();
    expect((await Promise.all(open)).map(({ sampled }) => sampled)).toEqual([4, 4, 4, 4]);
    expect(await estimate(tiles, principal(5))).toMatchObject({ sampled: 4 });
  });
});
