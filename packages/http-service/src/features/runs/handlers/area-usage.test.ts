import type { Run } from '@headwater/core';
import type { RunPart, SceneUse, TehsilSceneUse } from '@headwater/core/ports';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { RUN } from '../run.fixture.ts';
import { areaUsage } from './area-usage.ts';

const AT = '2026-11-29T00:00:00.000Z';
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

type PartFacts = readonly [state: Run['state'] | 'waiting', isReused?: boolean];
const part = ([state, isReused = false]: PartFacts, position: number): RunPart => ({
  position,
  tehsilId: position + 1,
  work: 1,
  runId: state === 'waiting' ? null : `run-${position + 1}`,
  isReused,
  isPaused: false,
  failure: null,
  run:
    state === 'waiting'
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
const FINAL = { eecuSeconds: 2, problem: null, dueAt: null };
const OPEN = { eecuSeconds: null, problem: null, dueAt: AT };
const use = (tehsilId: number | null, change: Partial<SceneUse> = {}): TehsilSceneUse => ({
  runId: `run-${tehsilId ?? 0}`,
  accountId: 7,
  requests: 3,
  pixels: 10,
  bytes: 20,
  workloadTag: 'tag',
  project: 'project',
  startedAt: AT,
  isWhole: true,
  reads: 4,
  ...FINAL,
  ...change,
  tehsilId,
});

/** Usage of a run with these tehsils and uses. */
async function usageOf(run: Run, parts: readonly PartFacts[], uses: readonly TehsilSceneUse[]) {
  const { sceneUses, runs, ...others } = createMemoryStores();
  const stores = {
    ...others,
    sceneUses: { ...sceneUses, ofRequestedRuns: async () => uses },
    runs: { ...runs, parts: async () => parts.map(part) },
  };
  return await areaUsage(run, { stores });
}

it('sums the tehsils of a state, and is final if the time of each is final', async () => {
  const found = await usageOf(
    AREA,
    [['success'], ['success'], ['success', true], ['failed']],
    [use(1), use(1), use(2, { eecuSeconds: 0.5 })],
  );
  expect(found?.usage).toEqual({
    account_id: 7,
    requests: 9,
    pixels: 30,
    bytes: 60,
    workload_tag: null,
    eecu_seconds: 4.5,
    eecu_final: true,
    eecu_reason: null,
    tehsils: { all: 4, measured: 2, final: 2, missing: 0, without: 2 },
  });
  expect([1, 2, 3].map((id) => found?.secondsOf(id))).toEqual([4, 0.5, null]);
});

it.each<readonly [string, Run, readonly PartFacts[], readonly TehsilSceneUse[], object]>([
  [
    'a tehsil that is computed or waits',
    RUNNING,
    [['success'], ['running'], ['waiting']],
    [use(1), use(2)],
    { eecu_seconds: 4, eecu_reason: expect.stringMatching(/^1 of 3 tehsils have .* that of 2 is not known yet\.$/) },
  ],
  [
    'a tehsil whose time was not read yet',
    AREA,
    [['success'], ['success']],
    [use(1), use(2, OPEN)],
    { eecu_seconds: 2, tehsils: { all: 2, measured: 1, final: 1, missing: 1, without: 0 } },
  ],
  [
    'a time that is read again',
    AREA,
    [['success']],
    [use(1, { dueAt: AT })],
    { eecu_seconds: 2, eecu_reason: null, tehsils: { all: 1, measured: 1, final: 0, missing: 0, without: 0 } },
  ],
  [
    'a failed read, whose reason it names',
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
    { eecu_seconds: null, tehsils: { all: 1, measured: 0, final: 0, missing: 1, without: 0 } },
  ],
])('is not final with %s', async (_, ...[run, parts, uses, wanted]) => {
  expect((await usageOf(run, parts, uses))?.usage).toMatchObject({ eecu_final: false, ...wanted });
});

it('does not wait for tehsils that an ended run did not start, and includes runs without a tehsil', async () => {
  const found = await usageOf({ ...AREA, state: 'failed' }, [['success'], ['waiting']], [use(1), use(null)]);
  expect(found?.usage).toMatchObject({
    eecu_seconds: 4,
    eecu_final: true,
    tehsils: { all: 2, measured: 1, final: 1, missing: 0, without: 1 },
  });
});

it('is absent for a run without an account, and if no tehsil sent a request', async () => {
  expect(await usageOf({ ...AREA, params: { ...AREA.params, request: {} } }, [['success']], [use(1)])).toBeUndefined();
  const unused = use(1, { requests: 0, eecuSeconds: null });
  expect(await usageOf(AREA, [['success']], [unused])).toBeUndefined();
});
