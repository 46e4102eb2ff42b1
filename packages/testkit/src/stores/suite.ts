import type { Deliverable } from '@headwater/core';
import type { Stores } from '@headwater/http-service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activePlaceCases } from './active-places.ts';
import { apiKeyCases } from './api-keys.ts';
import { auditCases } from './audit.ts';
import { catalogCases } from './catalog.ts';
import { table } from './data-sample.ts';
import { dataCases } from './data.ts';
import { earlierItemCases } from './earlier-items.ts';
import { directoryCases } from './directory.ts';
import { eventStreamCases } from './event-streams.ts';
import { hostileCases } from './hostile.ts';
import { identityCases } from './identity.ts';
import { importRunCases } from './import-runs.ts';
import { jobCases } from './jobs.ts';
import { lookupCases } from './lookups.ts';
import { moveCases } from './moves.ts';
import { operatorListCases } from './operator-lists.ts';
import { ownQueueCases } from './own-queues.ts';
import { pageSessionCases } from './page-sessions.ts';
import { peopleCases } from './people.ts';
import { placeChangeCases } from './place-changes.ts';
import { placeCases } from './places.ts';
import { regionCases } from './regions.ts';
import { runAgeCases } from './run-ages.ts';
import { runBackendCases } from './run-backends.ts';
import { runHeartbeatCases } from './run-heartbeats.ts';
import { runLimitCases } from './run-limits.ts';
import { runEventCases } from './run-events.ts';
import { runFencingCases } from './run-fencing.ts';
import { runPartCases } from './run-parts.ts';
import { runQueueCases } from './run-queue.ts';
import { runFairnessCases } from './run-fairness.ts';
import { runDependencyCases } from './run-dependencies.ts';
import { claimed, deliverable, type Get, newRun } from './sample.ts';
import { searchCases } from './search.ts';
import { sessionStreamCases } from './session-streams.ts';
import { signInCases } from './sign-in.ts';
import { teamCases } from './teams.ts';
import { eoExportCases } from './eo-exports.ts';
import { sceneUseCases } from './scene-uses.ts';
import { userCases } from './users.ts';

/** Test cases of results that can still be reused after their Items were replaced by equal Items. */
function sameContentCases(get: Get): void {
  describe('a stored result', () => {
    it('is found while another run has a current Item with the same content', async () => {
      const { runs, catalog } = get();
      const publish = async (id: string, published: Deliverable, fingerprint = id): Promise<void> => {
        await runs.enqueue(newRun(id, { fingerprint }));
        const { token } = await claimed(runs);
        await runs.publish(id, token, { ...published, inputs: 'scenes' });
      };
      const withSameContent = (sameContentAs: string, names = ['vector']): Deliverable => {
        const published = deliverable(names, 'again');
        return { ...published, items: published.items.map((item) => ({ ...item, sameContentAs })) };
      };
      const tables = [table({ itemId: 'vector' })];
      await publish('rasters', { ...deliverable(['raster', 'vector']), tables });
      await publish('again', { ...withSameContent('rasters'), tables });
      expect(await runs.resultOf('rasters')).toMatchObject({ id: 'rasters' });
      expect(await runs.resultOf('again')).toMatchObject({ id: 'again' });
      // The run still has both Items, although an Item of a later run has replaced `vector`.
      expect((await catalog.itemsOfRun('rasters')).map(({ id, replaced }) => [id, replaced])).toEqual([
        ['raster', false],
        ['vector', true],
      ]);
      await publish('without a table', deliverable(['alone']));
      await publish('with one', {
        ...deliverable(['alone'], 'again'),
        items: deliverable(['alone']).items.map((item) => ({ ...item, sameContentAs: 'without a table' })),
        tables: [table({ name: 'alone', itemId: 'alone' })],
      });
      expect(await runs.resultOf('without a table')).toMatchObject({ id: 'without a table' });
      await publish('third', { ...withSameContent('rasters'), tables });
      expect([await runs.resultOf('rasters'), await runs.resultOf('again')]).toMatchObject([
        { id: 'rasters' },
        undefined,
      ]);
      // An equal Item with another name does not make the run's result current.
      await publish('other', deliverable(['vector']));
      await publish('elsewhere', withSameContent('rasters', ['new']));
      expect(await runs.resultOf('rasters')).toBeUndefined();
      await publish('fourth', { ...withSameContent('rasters'), tables });
      expect(await runs.resultOf('rasters')).toMatchObject({ id: 'rasters' });
      // This publication replaces the run's table, but contains no Item that equals the run's Item. So the result
      // cannot be reused.
      await publish('another table', { ...deliverable(['apart']), tables: [table()] });
      expect(await runs.resultOf('rasters')).toBeUndefined();
      await publish('fifth', { ...withSameContent('rasters'), tables });
      expect(await runs.resultOf('rasters')).toMatchObject({ id: 'rasters' });
      await publish('raster again', deliverable(['raster']));
      expect(await runs.resultOf('rasters')).toBeUndefined();
    });
  });
}

function installationCases(get: Get): void {
  describe('an installation', () => {
    it('stores only the first of several concurrent values', async () => {
      const { installation } = get();
      const stored = await Promise.all(['a', 'b', 'c'].map((value) => installation.getOrCreate('key', value)));
      expect(new Set(stored).size).toBe(1);
      expect(await installation.getOrCreate('key', 'late')).toBe(stored[0]);
      expect(await installation.getOrCreate('another', 'late')).toBe('late');
    });

    it('reads the text that was written last', async () => {
      const { installation } = get();
      expect(await installation.read('last_backup_at')).toBeUndefined();
      await installation.write('last_backup_at', '2026-01-01T00:00:00.000Z');
      await installation.write('last_backup_at', '2026-01-02T00:00:00.000Z');
      expect(await installation.read('last_backup_at')).toBe('2026-01-02T00:00:00.000Z');
      expect(await installation.read('another')).toBeUndefined();
    });

    it('runs work with the same name one after the other, even after an error, and work with another name concurrently', async () => {
      const { installation } = get();
      const steps: string[] = [];
      const hold = Promise.withResolvers<void>();
      const first = installation.withLock('one', async () => {
        steps.push('first begins');
        await hold.promise;
        steps.push('first ends');
        throw new Error('broken');
      });
      await expect.poll(() => steps).toEqual(['first begins']);
      const second = installation.withLock('one', async () => steps.push('second'));
      await installation.withLock('two', async () => steps.push('other'));
      hold.resolve();
      await expect(first).rejects.toThrow('broken');
      await second;
      expect(steps).toEqual(['first begins', 'other', 'first ends', 'second']);
    });

    it('does not run work whose signal is aborted', async () => {
      const stop = new AbortController();
      stop.abort(new Error('stopped'));
      await expect(get().installation.withLock('one', async () => 'done', stop.signal)).rejects.toThrow('stopped');
    });

    it('accepts every value if there is only one process', async () => {
      const { installation } = get();
      expect(await installation.agree('key', 'a')).toBe(true);
      expect(await installation.agree('key', 'b')).toBe(true);
      expect(await installation.agree('key', 'b')).toBe(true);
    });
  });
}

/** Stores under test, which are opened once and emptied before every test. */
export interface StoresHarness {
  readonly kind: 'memory' | 'embedded' | 'postgresql';
  /** Empties the stores and returns them. */
  fresh(): Promise<Stores>;
  stop(): Promise<void>;
}

/** Function that starts stores for tests, or the reason why these stores are missing. */
export type StoresSource = (() => Promise<StoresHarness>) | { readonly missing: string };

/** Defines test cases over the stores of a source. If the stores are missing, skips the cases and logs a warning. */
export function describeOver(name: string, source: StoresSource, cases: (get: Get, kind: () => string) => void): void {
  const missing = typeof source === 'function' ? undefined : source.missing;
  if (missing !== undefined) console.warn(`skipped: ${name}. ${missing}`);
  describe.skipIf(missing !== undefined)(name, () => {
    let harness: StoresHarness;
    let stores: Stores;
    beforeAll(async () => {
      if (typeof source === 'function') harness = await source();
    });
    beforeEach(async () => {
      stores = await harness.fresh();
    });
    afterAll(async () => {
      await harness.stop();
    });
    cases(
      () => stores,
      () => harness.kind,
    );
  });
}

const CASES = {
  users: userCases,
  eoExports: eoExportCases,
  sceneUses: sceneUseCases,
  people: peopleCases,
  teams: teamCases,
  directory: directoryCases,
  signIn: signInCases,
  pageSessions: pageSessionCases,
  audit: auditCases,
  moves: moveCases,
  apiKeys: apiKeyCases,
  sessionStreams: sessionStreamCases,
  eventStreams: eventStreamCases,
  places: placeCases,
  placeChanges: placeChangeCases,
  activePlaces: activePlaceCases,
  lookups: lookupCases,
  runQueue: runQueueCases,
  runFairness: runFairnessCases,
  sameContent: sameContentCases,
  runBackends: runBackendCases,
  runLimits: runLimitCases,
  jobs: jobCases,
  importRuns: importRunCases,
  ownQueues: ownQueueCases,
  runHeartbeats: runHeartbeatCases,
  runDependencies: runDependencyCases,
  runParts: runPartCases,
  runFencing: runFencingCases,
  runEvents: runEventCases,
  runAges: runAgeCases,
  regions: regionCases,
  operatorLists: operatorListCases,
  catalog: catalogCases,
  search: searchCases,
  data: dataCases,
  earlierItems: earlierItemCases,
  identity: identityCases,
  installation: installationCases,
  hostile: hostileCases,
} as const satisfies Readonly<Record<string, (get: Get) => void>>;

/** Name of a group of cases. */
export type StoreCases = keyof typeof CASES;

/**
 * Defines the conformance suite of stores. Call it at the top level of a vitest file. `only` selects groups of cases.
 */
export function describeStores(name: string, source: StoresSource, only?: readonly StoreCases[]): void {
  describeOver(name, source, (get, kind) => {
    it('answers a ping with its kind and version', async () => {
      expect(await get().ping()).toEqual({ kind: kind(), version: expect.stringMatching(/./) });
    });
    for (const [group, cases] of Object.entries(CASES))
      if (only === undefined || only.some((each) => each === group)) cases(get);
  });
}
