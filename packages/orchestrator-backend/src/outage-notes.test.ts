import { afterEach, expect, it } from 'vitest';
import { type Bench, bench, DAG_ID, onlyRun } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

it('a watched run reports an outage once, and then the end of the outage', async () => {
  world = bench({ dags: [{ id: DAG_ID, tasks: [], isManual: true }] });
  const id = await world.start();
  world.server().start();
  const step = async (): Promise<string | null | undefined> => (await world.runs.get(id))?.step;
  await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
  world.fake.world.setState(onlyRun(world), 'running');
  await expect.poll(step).toBe('running at the orchestrator');
  const since = world.clock.now();
  world.fake.fault = () => ({ kind: 'reset' });
  await expect.poll(step, { timeout: 20_000 }).toMatch(/^the orchestrator has not responded since \d{4}-/);
  expect(Date.parse(/since (\S+)/.exec((await step()) ?? '')?.[1] ?? '')).toBeGreaterThanOrEqual(since);
  await world.clock.sleep(3_600_000);
  expect(await world.runs.get(id)).toMatchObject({ finishedAt: null, step: await step() });
  world.fake.fault = () => undefined;
  await expect.poll(step, { timeout: 20_000 }).toBe('running at the orchestrator');
  const events = await world.runs.events(id, 0, 999);
  const lines = events.flatMap(({ kind, data }) => (kind === 'log' ? [String(data['message'])] : []));
  expect(lines.filter((line) => /^the orchestrator (has|responds)/.test(line))).toEqual([
    expect.stringMatching(/^the orchestrator has not responded since .*; the run is read again/),
    'the orchestrator responds again',
  ]);
});

it('a run that the orchestrator does not accept reports once that it waits', async () => {
  world = bench();
  world.fake.fault = () => ({ kind: 'reset' });
  const id = await world.start();
  world.server().start();
  const step = async (): Promise<string | null | undefined> => (await world.runs.get(id))?.step;
  // The test advances the virtual clock itself. With polls in real time, all 15 virtual minutes of `patienceMs`
  // would pass between two polls.
  while ((await step()) !== 'waits for the orchestrator') await world.clock.sleep(1000);
  await world.clock.sleep(60_000);
  expect(await world.runs.get(id)).toMatchObject({ finishedAt: null, step: 'waits for the orchestrator' });
  world.fake.fault = () => undefined;
  expect(await world.ended(id)).toMatchObject({ state: 'success' });
  const lines = (await world.runs.events(id, 0, 999)).map(({ data }) => String(data['message']));
  expect(lines.filter((line) => /^(at )?the orchestrator/.test(line))).toEqual([
    expect.stringMatching(/^the orchestrator has not accepted the run yet; retrying: .*cannot be reached/),
    expect.stringMatching(/^at the orchestrator, this run is run manual__/),
  ]);
});
