import { describe, expect, it } from 'vitest';
import type { InputPorts } from '../pipelines/pipeline.ts';
import type { PixelPlan } from '../ports/pixel-plan.ts';
import type { PlanOutcome } from '../ports/pixels.ts';
import type { SceneEngine, SceneEngines } from '../ports/scene-engines.ts';
import { createMemoryDomainStores } from '../memory/stores.ts';
import { withAccountScenes, withInputPorts, withSceneEngine } from './account-scenes.ts';
import { bench, deliverable } from './bench.fixture.ts';
import { withExecute } from './with-execute.ts';

const OUTCOME: PlanOutcome = {
  outputs: {},
  contributing: [],
  unused: {},
  pieces: { computed: 1, outside: 0 },
  skipped: {},
  decodedPixels: 0,
};

/** Ports and scene engines of the tests; only account 7 has an engine. */
function world(requests: number) {
  const calls: string[] = [];
  const facts = { engine: 'earth_engine', accountId: 7, workloadTag: 'headwater-run-r1' };
  const engine: SceneEngine = {
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
    execute: (plan, context, usual) => {
      calls.push('scenes of the account');
      return usual.execute(plan, context);
    },
    estimate: () => Promise.reject(new Error('not used')),
    usage: () => ({ ...facts, requests, pixels: 100, bytes: 50 }),
    close: async () => void calls.push('closed'),
  };
  const engines: SceneEngines = {
    platform: 'earth_engine',
    open: async ({ accountId, runId }) => {
      calls.push(`opened for ${accountId} ${runId ?? ''}`.trim());
      return accountId === 7 ? engine : undefined;
    },
    problemOf: async () => undefined,
  };
  const { ports: others } = bench();
  const pixels = withExecute(others.pixels, async () => OUTCOME);
  const usual = { search: () => Promise.reject(new Error('the usual scenes')) };
  const ports = { ...others, pixels, earthObservation: usual };
  const log: string[] = [];
  const attempt = (params: unknown) => ({
    engines,
    params,
    ports,
    run: { id: 'r1', params: {} },
    log: (line: string) => void log.push(line),
  });
  return { calls, engines, ports, log, attempt };
}

const PLAN: PixelPlan = {
  kind: 'composite',
  grid: { crs: 'EPSG:32643', west: 0, north: 0, pixelWidth: 10, pixelHeight: 10, cols: 1, rows: 1 },
  area: [],
  scenes: [],
  mask: null,
  steps: [],
  core: [0, 0],
  indices: [],
  block: { module: 'none', export: 'none', params: {} },
  outputs: [],
};
const CONTEXT = { signal: new AbortController().signal, progress: () => {} };

describe('withAccountScenes', () => {
  it("executes with the scenes of the account, and adds the run's usage of the account to Items, timings and log", async () => {
    const { calls, log, attempt } = world(3);
    const made = await withAccountScenes(attempt({ eoAccountId: 7 }), async ({ pixels, earthObservation }) => {
      await earthObservation.search({ bbox: [0, 0, 1, 1], start: '', end: '' });
      expect(await pixels.execute(PLAN, CONTEXT)).toBe(OUTCOME);
      return deliverable(['a']);
    });
    expect(made.items[0]?.item['properties']).toEqual({
      'headwater:scene_engine': {
        engine: 'earth_engine',
        account_id: 7,
        requests: 3,
        pixels: 100,
        bytes: 50,
        workload_tag: 'headwater-run-r1',
      },
    });
    expect(made.timings).toMatchObject({ measured: 7, scene_requests: 3, scene_pixels: 100, scene_bytes: 50 });
    expect(calls).toEqual(['opened for 7 r1', 'scenes of the account', 'closed']);
    expect(log).toEqual([
      expect.stringMatching(/account 7: 3 requests, 100 pixels, 50 bytes; workload tag headwater-run-r1/),
    ]);
  });

  it('adds no usage if the run read no pixels from the platform', async () => {
    const { calls, log, attempt } = world(0);
    const made = await withAccountScenes(attempt({ eoAccountId: 7 }), async () => deliverable(['a']));
    expect([made, log, calls.at(-1)]).toEqual([deliverable(['a']), [], 'closed']);
  });

  it('closes the engine after a failure', async () => {
    const { calls, attempt } = world(1);
    const failing = withAccountScenes(attempt({ eoAccountId: 7 }), () => Promise.reject(new Error('no scenes')));
    await expect(failing).rejects.toThrow('no scenes');
    expect(calls.at(-1)).toBe('closed');
  });

  it.each([[{ eoAccountId: 8 }], [{ region: [0, 0, 1, 1] }], [null]])(
    'leaves the ports unchanged for the parameters %j, which name no account with an engine',
    async (params) => {
      const { ports, attempt } = world(1);
      await withAccountScenes(attempt(params), async (own) => {
        expect(own).toBe(ports);
        return deliverable([]);
      });
    },
  );
});

describe('a run whose scenes a platform reads', () => {
  const RUN = { id: 'r1', pipeline: 'p', params: { eoAccountId: 7, year: 2021 }, fingerprint: 'f', ownerId: 1 };
  const account = async (platform: 'local' | 'earth_engine') => {
    const { eoAccounts } = createMemoryDomainStores();
    for (let n = 0; n < 7; n += 1)
      await eoAccounts.create({ name: 'a', accountEmail: null, isVisible: true, platform });
    return { ports: { eoAccounts } };
  };

  it('is stored with the platform of its account, unless the platform of the account is local or the service has no scene engines', async () => {
    const { engines: sceneEngines } = world(0);
    const stored = async (platform: 'local' | 'earth_engine', isOn: boolean) =>
      (await withSceneEngine(RUN, { ...(await account(platform)), ...(isOn ? { sceneEngines } : {}) })).params;
    expect(await stored('earth_engine', true)).toEqual({ ...RUN.params, sceneEngine: 'earth_engine' });
    expect(await stored('local', true)).toEqual(RUN.params);
    expect(await stored('earth_engine', false)).toEqual(RUN.params);
  });

  it('reads no other scenes if the process lacks the engine or the account has another platform; it fails, and the error names the account', async () => {
    const { engines, attempt } = world(1);
    const executed: unknown[] = [];
    const failing = async (eoAccountId: number, own: SceneEngines | undefined) => {
      const run = { id: 'r1', params: { eoAccountId, sceneEngine: 'earth_engine' } };
      await withAccountScenes({ ...attempt({ eoAccountId }), engines: own, run }, async (ports) => {
        executed.push(ports);
        return deliverable([]);
      });
    };
    const noEngine = {
      code: 'unavailable',
      message: expect.stringMatching(
        /Run r1 .*earth_engine with account 7, .*Give all processes of the service the same/,
      ),
    };
    await expect(failing(7, undefined)).rejects.toMatchObject(noEngine);
    const others: SceneEngines = { ...engines, platform: 'local', open: async () => undefined };
    await expect(failing(7, others)).rejects.toMatchObject(noEngine);
    await expect(failing(8, engines)).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(/account 8, but this account now has another platform\. .*Start the run again\.$/),
    });
    expect(executed).toEqual([]);
  });
});

it('withInputPorts reads the inputs of a request with the scenes of its account', async () => {
  const { calls, engines, ports } = world(0);
  const read = ({ earthObservation }: InputPorts) =>
    earthObservation.search({ bbox: [0, 0, 1, 1], start: '', end: '' }).then(({ scenes }) => scenes.length);
  expect(await withInputPorts(engines, { params: { eoAccountId: 7 }, ports }, read)).toBe(0);
  expect(calls).toEqual(['opened for 7', 'closed']);
  await expect(withInputPorts(engines, { params: { eoAccountId: 8 }, ports }, read)).rejects.toThrow(
    'the usual scenes',
  );
});
