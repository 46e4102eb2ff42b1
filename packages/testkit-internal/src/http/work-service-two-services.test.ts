import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHeadwater, type Headwater, toFetchHandler } from '@headwater/http-service';
import { createPostgresStores } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { regionPipeline } from '../pipelines/region-pipeline.ts';
import { type RealPixels, realPixels } from './fixture/real-pixels.ts';
import { SAMPLE_SECRET } from './fixture/sample-service.ts';
import { holdableWork, regionNextTo } from './suite/work-host.ts';
import { jsonInit } from './suite/harness.ts';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

// Two services on one database behave like two processes, but limits of anonymous calls apply to both services
// together.

const work = holdableWork();
let dataDir: string;
let embedded: Awaited<ReturnType<typeof openEmbedded>>;
let real: RealPixels;
let services: readonly Headwater[];

async function serve(): Promise<Headwater> {
  const headwater = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: SAMPLE_SECRET,
    stores: await createPostgresStores({ connection: embedded.connection }),
    compute: { ...real.compute, worker: { concurrency: 4, idleMs: 20 } },
    pipelines: [regionPipeline('squares', work)],
    workService: { atOnce: 2, waiting: 4 },
  });
  await headwater.start();
  return headwater;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-work-'));
  await copyDatabase(dataDir);
  embedded = await openEmbedded({ dataDir });
  real = await realPixels();
  services = [await serve(), await serve()];
}, 120_000);
afterAll(async () => {
  for (const { close } of services) await close();
  await embedded.close();
  await real.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Number of client addresses. With a single address, its own limit would refuse calls before the queue is full. */
const ADDRESSES = 5;

/** Sends calls to both services alternately. */
async function ask(step: number): Promise<{ readonly status: number; readonly task: string }> {
  const service = services[step % services.length]?.service;
  if (service === undefined) throw new Error('the services have not started');
  const body = { region: regionNextTo(step), year: 2021, wait: false };
  const answer = await toFetchHandler(service)(
    new Request('http://headwater.example/api/export-asset', jsonInit(body)),
    { remoteAddress: `10.0.0.${step % ADDRESSES}` },
  );
  const { task_id: task } = (await answer.json()) as { readonly task_id?: string };
  return { status: answer.status, task: task ?? '' };
}

it('two services on one database together compute two regions at a time, and refuse calls beyond the limit of the queue', async () => {
  const release = work.hold();
  const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(ask));
  const countOf = (status: number): number => answers.filter((answer) => answer.status === status).length;
  expect([countOf(202), countOf(429)]).toEqual([6, 4]);
  await expect.poll(() => work.atWork().now).toBe(2);
  release();
  const tasks = answers.flatMap(({ task }) => (task === '' ? [] : [task]));
  for (const task of tasks) {
    const stateOf = async () => (await services[0]?.stores.runs.get(task))?.state;
    await expect.poll(stateOf, { timeout: 30_000 }).toBe('success');
  }
  expect([work.began(), work.atWork().most]).toEqual([6, 2]);
}, 60_000);

it('two services on one database count the calls of one address to both services together', async () => {
  const release = work.hold();
  onTestFinished(release);
  const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((at) => ask(20 + at * ADDRESSES)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 202, 202, 202, 429, 429]);
  expect((await ask(61)).status).toBe(202);
});
