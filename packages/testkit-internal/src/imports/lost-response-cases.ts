import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError, systemTimers } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { layerImporter } from '@headwater/ingest';
import { describe, expect, it } from 'vitest';
import { SAMPLE_PLACE } from '../http/fixture/sample-place.ts';
import type { Get } from '@headwater/testkit/stores';
import { requestOf } from './import-request.fixture.ts';
import { collectionText, LAYER_OPTIONS } from './layer.fixture.ts';
import { inLayerWorld, type LayerWorld } from './layer-world.fixture.ts';

const FILE = collectionText({ type: 'Feature', geometry: SAMPLE_PLACE.geometry, properties: { depth: 2 } });

interface Outage {
  /** True if the failure follows the commit. */
  readonly isCommitted: boolean;
  /** True if later calls of `get` and `fail` also fail. */
  readonly isPermanent: boolean;
}

function breaking(stores: Stores, { isCommitted, isPermanent }: Outage, keys: string[]): Stores {
  const { runs } = stores;
  let isAway = false;
  const gone = (): DomainError => new DomainError('unavailable', 'the database does not answer');
  const whileConnected = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isAway) throw gone();
    return await call();
  };
  return {
    ...stores,
    runs: {
      ...runs,
      get: (id) => whileConnected(() => runs.get(id)),
      fail: (...parameters) => whileConnected(() => runs.fail(...parameters)),
      publish: async (...parameters) => {
        keys.push(...parameters[2].layers.map(({ assetKey }) => assetKey));
        if (isCommitted) await runs.publish(...parameters);
        isAway = isPermanent;
        throw gone();
      },
    },
  };
}

/** Test cases of long imports, and of imports whose database connection fails. */
export function lostResponseCases(get: Get): void {
  describe('an import', () => {
    const inWorld = (work: (world: LayerWorld & { readonly path: string }) => Promise<void>): Promise<void> =>
      inLayerWorld(get(), async (world) => {
        const path = join(world.folder, 'drainage_sample_district_sample_tehsil.geojson');
        await writeFile(path, FILE);
        await work({ ...world, path });
      });
    const over = async ({ deps, path }: { deps: LayerWorld['deps']; path: string }, broken: Outage) => {
      const keys: string[] = [];
      const importer = layerImporter({ ...deps, stores: breaking(get(), broken, keys) }, LAYER_OPTIONS);
      const [end] = await Promise.allSettled([importer.run(requestOf(path))]);
      const isThere = (await deps.assets.open(keys[0] ?? '')) !== undefined;
      const { runs } = await get().runs.list({ limit: 9, offset: 0 });
      return { end, isThere, states: runs.map(({ state }) => state) };
    };

    it('counts as published, with its files, if only the response was lost', async () => {
      await inWorld(async (world) => {
        const { end, ...after } = await over(world, { isCommitted: true, isPermanent: false });
        expect(end).toMatchObject({ status: 'fulfilled', value: { stored: 1, unchanged: 0 } });
        expect(after).toEqual({ isThere: true, states: ['success'] });
        expect(await get().catalog.layersOf(world.tehsilId)).toMatchObject([{ version: 1 }]);
      });
    });

    it('stays stored together with its files if the outcome of publishing is unknown; a repeated import changes nothing', async () => {
      await inWorld(async (world) => {
        const { end, ...after } = await over(world, { isCommitted: true, isPermanent: true });
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
        expect(after).toEqual({ isThere: true, states: ['success'] });
        const again = await layerImporter(world.deps, LAYER_OPTIONS).run(requestOf(world.path));
        expect(again).toMatchObject({ stored: 0, unchanged: 1 });
      });
    });

    it('leaves no files if it was not published', async () => {
      await inWorld(async (world) => {
        const { end, ...after } = await over(world, { isCommitted: false, isPermanent: false });
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
        expect(after).toEqual({ isThere: false, states: ['failed'] });
        expect(await get().catalog.layersOf(world.tehsilId)).toEqual([]);
      });
    });

    it('renews its lease if it is slow; otherwise its run would count as abandoned', async () => {
      await inWorld(async ({ deps, path }) => {
        const stores = get();
        const { promise: beaten, resolve } = Promise.withResolvers<unknown>();
        const pauses: number[] = [];
        // The first pause ends immediately, so a heartbeat is sent; the end of the import aborts the next pause.
        const sleep: typeof systemTimers.sleep = async (ms, signal) => {
          if (pauses.push(ms) > 1) await systemTimers.sleep(ms, signal);
        };
        const runs: Stores['runs'] = {
          ...stores.runs,
          heartbeat: async (...parameters) => {
            const outcome = await stores.runs.heartbeat(...parameters);
            resolve({ outcome, ...parameters[2] });
            return outcome;
          },
          publish: async (...parameters) => {
            expect(await beaten).toEqual({ outcome: 'ok', leaseMs: expect.any(Number) });
            return await stores.runs.publish(...parameters);
          },
        };
        const importer = layerImporter({ ...deps, timers: { sleep }, stores: { ...stores, runs } }, LAYER_OPTIONS);
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 1 });
        expect(pauses.length).toBeGreaterThan(1);
      });
    });
  });
}
