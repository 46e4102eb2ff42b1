import type { Stores } from '@headwater/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activePlaceCases } from './active-places.ts';
import { apiKeyCases } from './api-keys.ts';
import { catalogCases } from './catalog.ts';
import { dataCases } from './data.ts';
import { eventStreamCases } from './event-streams.ts';
import { earlierItemCases } from './earlier-items.ts';
import { hostileCases } from './hostile.ts';
import { identityCases } from './identity.ts';
import { importRunCases } from './import-runs.ts';
import { installationCases } from './installation.ts';
import { jobCases } from './jobs.ts';
import { likeMemoryCases } from './like-memory.ts';
import { lookupCases } from './lookups.ts';
import { ownQueueCases } from './own-queues.ts';
import { peopleCases } from './people.ts';
import { placeChangeCases } from './place-changes.ts';
import { placeCases } from './places.ts';
import { runBeatCases } from './run-beats.ts';
import { runCapCases } from './run-caps.ts';
import type { Get } from './sample.ts';
import { runAgeCases } from './run-ages.ts';
import { runBackendCases } from './run-backends.ts';
import { runEventCases } from './run-events.ts';
import { runFencingCases } from './run-fencing.ts';
import { runQueueCases } from './run-queue.ts';
import { runTurnCases } from './run-turns.ts';
import { standInCases } from './stand-ins.ts';
import { runWaitCases } from './run-waits.ts';
import { searchCases } from './search.ts';
import { sessionStreamCases } from './session-streams.ts';
import { signInCases } from './sign-in.ts';
import { teamCases } from './teams.ts';
import { userCases } from './users.ts';

/** Stores under test: opened once, emptied before every test. */
export interface StoresHarness {
  readonly kind: 'memory' | 'embedded' | 'postgresql';
  /** Empty stores for the next test. */
  fresh(): Promise<Stores>;
  stop(): Promise<void>;
}

/** How to get stores to test: a way to start them, or the reason why there are none on this machine. */
export type StoresSource = (() => Promise<StoresHarness>) | { readonly missing: string };

/** Cases over stores from this source: each test has empty ones. */
export function describeOver(name: string, source: StoresSource, cases: (get: Get, kind: () => string) => void): void {
  const missing = typeof source === 'function' ? undefined : source.missing;
  if (missing !== undefined) console.warn(`skipped: ${name}: ${missing}`);
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

/** The store conformance suite: the same cases for every implementation of `Stores`. */
export function describeStores(name: string, source: StoresSource): void {
  describeOver(name, source, (get, kind) => {
    it('answers a ping with what it is', async () => {
      expect(await get().ping()).toEqual({ kind: kind(), version: expect.stringMatching(/./) });
    });
    userCases(get);
    peopleCases(get);
    teamCases(get);
    signInCases(get);
    apiKeyCases(get);
    sessionStreamCases(get);
    eventStreamCases(get);
    placeCases(get);
    placeChangeCases(get);
    activePlaceCases(get);
    lookupCases(get);
    runQueueCases(get);
    runTurnCases(get);
    standInCases(get);
    runBackendCases(get);
    runCapCases(get);
    jobCases(get);
    importRunCases(get);
    ownQueueCases(get);
    runBeatCases(get);
    runWaitCases(get);
    runFencingCases(get);
    runEventCases(get);
    runAgeCases(get);
    catalogCases(get);
    searchCases(get);
    dataCases(get);
    earlierItemCases(get);
    likeMemoryCases(get);
    identityCases(get);
    installationCases(get);
    hostileCases(get);
  });
}
