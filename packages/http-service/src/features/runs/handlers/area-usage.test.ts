import type { Run } from '@headwater/core';
import type { RunPart, TehsilSceneUse } from '@headwater/core/ports';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { RUN } from '../run.fixture.ts';
import { areaUsage } from './area-usage.ts';

const REQUEST = { eoAccountId: 7 };
const AREA: Run = {
  ...RUN,
  id: 'area',
  pipeline: 'scope_run',
  params: {
    scope: 'state',
    computes: 'lulc',
    state: 'Bihar',
    request: REQUEST,
    overwrite: false,
    withDependencies: false,
  },
};
const RUNNING: Run = { ...AREA, state: 'running' };

type PartFacts = readonly [state: Run['state'] | 'waiting' | 'removed', isReused?: boolean];
const part = ([state, isReused = false]: PartFacts, position: number): RunPart => ({
  position,
  tehsilId: position + 1,
  work: 1,
  runId: state === 'waiting' ? null : `run-${position + 1}`,
  isReused,
  isPaused: false,
  failure: null,
  run:
    state === 'waiting' || state === 'removed'
      ? null
      : {
          parentId: 'area',
          state,
          progress: 0,
          step: null,
          error: null,
          startedAt: null,
          finishedAt: null,
          begunAt: null,
          isBegun: true,
        },
});
const use = (tehsilId: number, change: Partial<TehsilSceneUse> = {}): TehsilSceneUse => ({
  tehsilId,
  requests: 3,
  pixels: 10,
  bytes: 20,
  eecuSeconds: 2,
  missing: 0,
  unknown: 0,
  isFinal: true,
  problem: null,
  ...change,
});
const OPEN = { eecuSeconds: null, missing: 1, isFinal: false };
const LOST = { eecuSeconds: null, unknown: 1, isFinal: false, problem: 'HTTP 403' };
const NONE = { all: 0, measured: 0, final: 0, missing: 0, unknown: 0, without: 0, problem: null };

async function usageOf(run: Run, parts: readonly PartFacts[], uses: readonly TehsilSceneUse[]) {
  const { sceneUses, runs, ...others } = createMemoryStores();
  const stores = {
    ...others,
    sceneUses: { ...sceneUses, ofRequestedRuns: async () => uses },
    runs: { ...runs, parts: async () => parts.map(part) },
  };
  return await areaUsage(run, { stores });
}

it('the usage of a state is the sum over its tehsils, and is final if the time of each tehsil is final', async () => {
  const found = await usageOf(
    AREA,
    [['success'], ['success'], ['success', true], ['failed']],
    [use(1, { eecuSeconds: 4 }), use(2, { eecuSeconds: 0.5 })],
  );
  expect(found?.usage).toEqual({
    account_id: 7,
    requests: 6,
    pixels: 20,
    bytes: 40,
    workload_tag: null,
    eecu_seconds: 4.5,
    eecu_final: true,
    eecu_reason: null,
    tehsils: { ...NONE, all: 4, measured: 2, final: 2, without: 2 },
  });
  expect([1, 2, 3].map((id) => found?.secondsOf(id))).toEqual([4, 0.5, null]);
});

it.each<readonly [string, Run, readonly PartFacts[], readonly TehsilSceneUse[], object]>([
  [
    'a tehsil that still runs or waits, and leaves out its time',
    RUNNING,
    [['success'], ['running'], ['waiting']],
    [use(1), use(2)],
    { eecu_seconds: 2, eecu_reason: 'The computing time of 1 of 3 tehsils is known; that of 2 is not known yet.' },
  ],
  [
    'a tehsil with one known and one open time, and leaves out the known one',
    AREA,
    [['success'], ['success']],
    [use(1), use(2, { missing: 1, isFinal: false })],
    { eecu_seconds: 2, tehsils: { ...NONE, all: 2, measured: 1, final: 1, missing: 1 } },
  ],
  [
    'a known time that will be read again',
    AREA,
    [['success']],
    [use(1, { isFinal: false })],
    { eecu_seconds: 2, eecu_reason: null, tehsils: { ...NONE, all: 1, measured: 1 } },
  ],
  [
    'a failed read that will be repeated, and names the reason of the failure',
    AREA,
    [['success'], ['success']],
    [use(1), use(2, { ...OPEN, problem: 'HTTP 403' })],
    { eecu_seconds: 2, eecu_reason: expect.stringMatching(/of 1 is not known yet\. HTTP 403$/) },
  ],
  [
    'no known time',
    RUNNING,
    [['success']],
    [use(1, OPEN)],
    { eecu_seconds: null, tehsils: { ...NONE, all: 1, missing: 1 } },
  ],
  [
    'only times that stay unknown',
    AREA,
    [['success']],
    [use(1, LOST)],
    { eecu_seconds: null, tehsils: { ...NONE, all: 1, unknown: 1, problem: 'HTTP 403' } },
  ],
])('the usage is not final with %s', async (_, ...[run, parts, uses, wanted]) => {
  const found = await usageOf(run, parts, uses);
  expect(found?.usage).toMatchObject({ eecu_final: false, ...wanted });
  expect(found?.secondsOf(2)).toBeNull();
});

it('the usage is final although the time of some tehsils stays unknown; it states the number of these tehsils and a reason', async () => {
  const found = await usageOf(
    AREA,
    [['success'], ['success'], ['removed'], ['removed', true]],
    [use(1), use(2, { ...LOST, eecuSeconds: 8 })],
  );
  expect(found?.usage).toMatchObject({
    eecu_seconds: 2,
    eecu_final: true,
    eecu_reason:
      'The computing time of 2 of 4 tehsils stays unknown: no further read follows, or the run was removed. HTTP 403',
    tehsils: { ...NONE, all: 4, measured: 1, final: 1, unknown: 2, without: 1, problem: 'HTTP 403' },
  });
  expect(found?.secondsOf(2)).toBeNull();
});

it('the usage is final although the ended run did not start some tehsils', async () => {
  const found = await usageOf({ ...AREA, state: 'failed' }, [['success'], ['waiting']], [use(1)]);
  expect(found?.usage).toMatchObject({
    eecu_seconds: 2,
    eecu_final: true,
    tehsils: { ...NONE, all: 2, measured: 1, final: 1, without: 1 },
  });
});

it('the usage is undefined for a run without an account, and if no tehsil sent a request', async () => {
  expect(await usageOf({ ...AREA, params: { ...AREA.params, request: {} } }, [['success']], [use(1)])).toBeUndefined();
  expect(await usageOf(AREA, [['success']], [])).toBeUndefined();
});
