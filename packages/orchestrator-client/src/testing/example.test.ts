// Two ways to use the fake in a test: msw, or a port for other processes.
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, expect, it } from 'vitest';
import { createOrchestratorClient } from '../index.ts';
import { type FakeDag, FakeOrchestrator, VirtualClock } from './index.ts';
import { orchestratorHandlers } from './msw.ts';

async function computeAsset(baseUrl: string): Promise<unknown> {
  const client = createOrchestratorClient({
    baseUrl,
    credentials: { username: 'admin', password: 'admin' },
    poll: { minMs: 5, maxMs: 10 },
  });
  const run = await client.trigger('land_cover', { job_id: 'job-1', year: 2023 });
  await run.wait();
  return run.result({ taskId: 'execute_land_cover' });
}

const landCover: FakeDag = {
  id: 'land_cover',
  tasks: [
    { id: 'execute_land_cover', run: ({ conf, post }) => post('http://service.test/api/export-asset', { conf }) },
  ],
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

it('with msw: the orchestrator and the service that it calls back are intercepted', async () => {
  const fake = new FakeOrchestrator({ dags: [landCover] });
  const service = http.post('http://service.test/api/export-asset', async ({ request }) => {
    const body: unknown = await request.json();
    return Response.json({ status: 'success', request: body });
  });
  const server = setupServer(...orchestratorHandlers(fake), service);
  // In msw 2, the option is named onUnhandledRequest.
  server.listen({ onUnhandledFrame: 'error' });
  closers.push(() => server.close());

  expect(await computeAsset(fake.baseUrl)).toEqual({
    status: 'success',
    request: { conf: { job_id: 'job-1', year: 2023 } },
  });
  expect(fake.received('POST', /dagRuns$/).map(({ body }) => body)).toEqual([
    { conf: { job_id: 'job-1', year: 2023 } },
  ]);
});

it('with msw: the client gets a broken connection and a status of the fake', async () => {
  const fake = new FakeOrchestrator({ dags: [landCover] });
  const server = setupServer(...orchestratorHandlers(fake));
  server.listen({ onUnhandledFrame: 'error' });
  closers.push(() => server.close());
  const read = async (): Promise<number> => (await fetch(`${fake.baseUrl}/api/v1/dags/land_cover`)).status;
  fake.fault = () => ({ kind: 'reset' });
  await expect(read()).rejects.toThrow(TypeError);
  fake.fault = () => ({ kind: 'status', status: 503 });
  expect(await read()).toBe(503);
  fake.fault = undefined;
  expect(await read()).toBe(401);
});

it('on a port, with a task that fails', async () => {
  const failing = (): never => {
    throw Object.assign(new Error('export failed: quota exceeded'), { name: 'RuntimeError' });
  };
  const fake = new FakeOrchestrator({
    version: '3.0.2',
    dags: [{ id: 'land_cover', tasks: [{ id: 'execute_land_cover', run: failing }] }],
  });
  const { url, close } = await fake.listen();
  closers.push(close);

  await expect(computeAsset(url)).rejects.toMatchObject({
    code: 'run_failed',
    details: { reason: 'RuntimeError: export failed: quota exceeded' },
  });
});

it('with a network fault: the first trigger is executed and its response is lost', async () => {
  const fake = new FakeOrchestrator({
    dags: [{ id: 'land_cover', tasks: [{ id: 'execute_land_cover', run: () => 'asset-1' }] }],
  });
  const { url, close } = await fake.listen();
  closers.push(close);
  let isFirst = true;
  fake.fault = ({ method }) => {
    const fault = method === 'POST' && isFirst ? ({ kind: 'lost' } as const) : undefined;
    if (fault !== undefined) isFirst = false;
    return fault;
  };

  expect(await computeAsset(url)).toBe('asset-1');
  expect(fake.runsOf('land_cover')).toHaveLength(1);

  fake.fault = () => ({ kind: 'status', status: 403 });
  await expect(computeAsset(url)).rejects.toMatchObject({ code: 'forbidden' });
  fake.fault = undefined;
  expect(await computeAsset(url)).toBe('asset-1');
});

it('with a clock whose pauses take no time: a wait of an hour', async () => {
  const clock = new VirtualClock();
  const fake = new FakeOrchestrator({ clock, dags: [{ id: 'land_cover', tasks: [], isManual: true }] });
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    credentials: { username: 'admin', password: 'admin' },
    clock,
    fetch: clock.holding(fake.fetch),
  });
  const run = await client.trigger('land_cover', { job_id: 'job-1' });
  for (const started of fake.runsOf('land_cover')) fake.world.setState(started, 'running');
  const began = clock.now();
  const deadline = new Date(began + 3_600_000);
  await expect(run.wait({ deadline })).rejects.toMatchObject({ code: 'deadline' });
  expect(clock.now() - began).toBe(3_600_000);
});

it('with a run whose states the test sets', async () => {
  const fake = new FakeOrchestrator({ dags: [{ id: 'land_cover', tasks: [], isManual: true }] });
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    credentials: { username: 'admin', password: 'admin' },
    poll: { minMs: 0, maxMs: 0 },
    fetch: fake.fetch,
  });
  const run = fake.world.addRun('land_cover', {});
  const states: string[] = [];
  for await (const event of client.run('land_cover', run.runId).watch()) {
    if (event.type !== 'state') continue;
    states.push(event.state);
    fake.world.setState(run, event.state === 'queued' ? 'running' : 'success');
  }
  expect(states).toEqual(['queued', 'running', 'success']);
});
