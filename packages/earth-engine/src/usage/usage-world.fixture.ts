import { type EoAccount, type Run, SILENT, systemTimers } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import type { DomainStores, SceneUse } from '@headwater/core/ports';
import { serviceAccountOf } from '@headwater/net/google';
import { createGoogleApi } from '../google-api.ts';
import { FakeGoogle, type FakeGoogleOptions, type FaultRule } from '../testing/fake-google.ts';
import { createUseNotes } from './use-notes.ts';
import { createUsageReader, USAGE_REMEDIES, type UsageReader } from './usage-reader.ts';

const START = Date.parse('2026-11-29T00:00:00Z');
const MINUTE_MS = 60_000;
const HOST = 'https://google.example';
const SERVICE = serviceAccountOf(new FakeGoogle().keyFor(HOST));
export const COUNTS = { requests: 4, pixels: 2_000_000, bytes: 3_000_000 };

/**
 * A reader of computing times on stores in memory and a fake of Google. The clock advances only by `pass` and
 * `readAfter`.
 */
export interface UsageWorld {
  readonly stores: DomainStores;
  readonly google: FakeGoogle;
  readonly reader: UsageReader;
  readonly account: EoAccount;
  useFaults(rule: FaultRule | undefined): void;
  /** Sets the project of all keys, or the error that reading a key throws. */
  useProject(project: string | Error): void;
  now(): Date;
  pass(minutes: number): void;
  begin(id: string): Promise<Run>;
  /** Stores the start of an attempt; returns the function that stores the end of the attempt. */
  note(id: string, counts?: typeof COUNTS): () => Promise<void>;
  run(id: string, ...seconds: readonly number[]): Promise<void>;
  fail(run: Run): Promise<void>;
  /** Advances the clock by minutes and makes the due reads; returns the stored use. */
  readAfter(minutes: number, id: string): Promise<SceneUse | undefined>;
}

export const tagOfRun = (id: string): string => `headwater-run-${id}`;

/** Opens a world with one account. */
export async function usageWorld(options: FakeGoogleOptions = {}): Promise<UsageWorld> {
  let nowMs = START;
  let fault: FaultRule | undefined;
  let projectId = 'project';
  let keyError: Error | undefined;
  const now = (): Date => new Date(nowMs);
  const stores = createMemoryDomainStores({ clock: { now } });
  const google = new FakeGoogle({ ...options, now, fault: (request) => fault?.(request) });
  const api = createGoogleApi({
    hosts: { earthEngine: HOST, storage: HOST, monitoring: HOST },
    tokens: { token: async () => google.issueToken(), forget: () => {} },
    fetch: async (input, init) => {
      const answer = await google.handle(new Request(input, init));
      if (answer === undefined) throw new TypeError('fetch failed');
      return answer;
    },
    now,
    remedies: USAGE_REMEDIES,
  });
  const facts = { name: 'project', accountEmail: null, isVisible: true, platform: 'earth_engine' } as const;
  const account = await stores.eoAccounts.create(facts);
  const reader = createUsageReader({
    stores,
    now,
    timers: systemTimers,
    logger: SILENT,
    serviceOf: async () => {
      if (keyError !== undefined) throw keyError;
      return { ...SERVICE, projectId };
    },
    apiOf: () => api,
  });
  const begin = async (id: string): Promise<Run> => {
    const params = { eoAccountId: account.id };
    await stores.runs.enqueue({ id, pipeline: 'p', params, fingerprint: id, ownerId: 1 });
    const run = await stores.runs.claim({ workerId: 'w', leaseMs: 1e9, maxAttempts: 3, pipelines: ['p'] });
    if (run?.id !== id) throw new Error(`run ${id} was not claimed`);
    return run;
  };
  const note = (runId: string, counts = COUNTS): (() => Promise<void>) => {
    const use = { runId, accountId: account.id, project: projectId, workloadTag: tagOfRun(runId) };
    const notes = createUseNotes(use, { ...stores, logger: SILENT, now });
    const begun = notes.begin();
    return async () => {
      await begun;
      await notes.end(counts);
    };
  };
  const fail = async ({ id, token }: Run): Promise<void> => {
    await stores.runs.fail(id, token, { code: 'internal', message: 'a test' });
  };
  return {
    stores,
    google,
    reader,
    account,
    now,
    begin,
    note,
    fail,
    useFaults: (rule) => void (fault = rule),
    useProject: (project) => {
      if (typeof project === 'string') projectId = project;
      else keyError = project;
    },
    pass: (minutes) => void (nowMs += minutes * MINUTE_MS),
    run: async (id, ...seconds) => {
      const run = await begin(id);
      const end = note(id);
      for (const each of seconds) google.usage.add(tagOfRun(id), each, now());
      await end();
      await fail(run);
    },
    readAfter: async (minutes, id) => {
      nowMs += minutes * MINUTE_MS;
      await reader.runDue();
      return await stores.sceneUses.ofRun(id);
    },
  };
}
