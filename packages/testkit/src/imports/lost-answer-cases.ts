import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError, systemTimers } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { layerImporter } from '@headwater/ingest';
import { describe, expect, it } from 'vitest';
import { SAMPLE_PLACE } from '../http/fixture/sample-place.ts';
import type { Get } from '../stores/sample.ts';
import { requestOf } from './import-request.fixture.ts';
import { collectionText, LAYER_OPTIONS } from './layer.fixture.ts';
import { inLayerWorld, type LayerWorld } from './layer-world.fixture.ts';

const FILE = collectionText({ type: 'Feature', geometry: SAMPLE_PLACE.geometry, properties: { depth: 2 } });

/** How a connection breaks at a publication. */
interface Break {
  readonly isCommitted: boolean;
  /** True: nothing that comes after it is answered either. */
  readonly staysAway: boolean;
}

/** The same stores over a connection that breaks so; `keys` gets those of the files that were to be published. */
function breaking(stores: Stores, { isCommitted, staysAway }: Break, keys: string[]): Stores {
  const { runs } = stores;
  let isAway = false;
  const gone = (): DomainError => new DomainError('unavailable', 'the database does not answer');
  const answered = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isAway) throw gone();
    return await call();
  };
  return {
    ...stores,
    runs: {
      ...runs,
      get: (id) => answered(() => runs.get(id)),
      fail: (...given) => answered(() => runs.fail(...given)),
      publish: async (...given) => {
        keys.push(...given[2].layers.map(({ assetKey }) => assetKey));
        if (isCommitted) await runs.publish(...given);
        isAway = staysAway;
        throw gone();
      },
    },
  };
}

/** Imports at whose publication the connection to the store breaks, and those that take their time. */
export function lostAnswerCases(get: Get): void {
  describe('an import', () => {
    const inWorld = (work: (world: LayerWorld & { readonly path: string }) => Promise<void>): Promise<void> =>
      inLayerWorld(get(), async (world) => {
        const path = join(world.folder, 'drainage_sample_district_sample_tehsil.geojson');
        await writeFile(path, FILE);
        await work({ ...world, path });
      });
    const over = async ({ deps, path }: { deps: LayerWorld['deps']; path: string }, broken: Break) => {
      const keys: string[] = [];
      const importer = layerImporter({ ...deps, stores: breaking(get(), broken, keys) }, LAYER_OPTIONS);
      const [end] = await Promise.allSettled([importer.run(requestOf(path))]);
      const isThere = (await deps.assets.open(keys[0] ?? '')) !== undefined;
      const { runs } = await get().runs.list({ limit: 9, offset: 0 });
      return { end, isThere, states: runs.map(({ state }) => state) };
    };

    it('that was published although the answer was lost counts as published, and keeps its files', async () => {
      await inWorld(async (world) => {
        const { end, ...after } = await over(world, { isCommitted: true, staysAway: false });
        expect(end).toMatchObject({ status: 'fulfilled', value: { stored: 1, unchanged: 0 } });
        expect(after).toEqual({ isThere: true, states: ['success'] });
        expect(await get().catalog.layersOf(world.tehsilId)).toMatchObject([{ version: 1 }]);
      });
    });

    it('of which nobody can tell whether it was published keeps its files, and is there when it comes again', async () => {
      await inWorld(async (world) => {
        const { end, ...after } = await over(world, { isCommitted: true, staysAway: true });
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
        expect(after).toEqual({ isThere: true, states: ['success'] });
        const again = await layerImporter(world.deps, LAYER_OPTIONS).run(requestOf(world.path));
        expect(again).toMatchObject({ stored: 0, unchanged: 1 });
      });
    });

    it('that was not published leaves no files', async () => {
      await inWorld(async (world) => {
        const { end, ...after } = await over(world, { isCommitted: false, staysAway: false });
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
        expect(after).toEqual({ isThere: false, states: ['failed'] });
        expect(await get().catalog.layersOf(world.tehsilId)).toEqual([]);
      });
    });

    it('that takes its time keeps its run from those that count as abandoned', async () => {
      await inWorld(async ({ deps, path }) => {
        const stores = get();
        const { promise: beaten, resolve } = Promise.withResolvers<unknown>();
        const pauses: number[] = [];
        // The first pause is over at once, the next one only by the end of the import.
        const sleep: typeof systemTimers.sleep = async (ms, signal) => {
          if (pauses.push(ms) > 1) await systemTimers.sleep(ms, signal);
        };
        const runs: Stores['runs'] = {
          ...stores.runs,
          heartbeat: async (...given) => {
            const outcome = await stores.runs.heartbeat(...given);
            resolve({ outcome, ...given[2] });
            return outcome;
          },
          publish: async (...given) => {
            expect(await beaten).toEqual({ outcome: 'ok', leaseMs: expect.any(Number) });
            return await stores.runs.publish(...given);
          },
        };
        const importer = layerImporter({ ...deps, timers: { sleep }, stores: { ...stores, runs } }, LAYER_OPTIONS);
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 1 });
        expect(pauses.length).toBeGreaterThan(1);
      });
    });
  });
}
