import { type FakeContext, FakeOrchestrator, type RecordedRequest } from '@headwater/orchestrator-client/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from './client.ts';
import { openOrchestratedYard, type OrchestratedYard } from './orchestrated-server.fixture.ts';

const CASE_MS = 180_000;
const START_MS = 300_000;
const POLLS = 3;

const polls: number[] = [];
const polledOften = Promise.withResolvers<void>();

/** Task of the fake workflow: calls the service, waits for `POLLS` polls, and returns the response of the service. */
async function execute({ conf, post }: FakeContext): Promise<unknown> {
  const answer = await post(`${String(conf['api_base'])}/api/export-asset`, { conf });
  await polledOften.promise;
  return answer;
}

const fake = new FakeOrchestrator({
  threeCalls: 404,
  dags: [{ id: 'h_headwater', isPaused: true, tasks: [{ id: 'execute', run: execute }] }],
});
fake.fault = ({ method, path }) => {
  if (method === 'GET' && path.includes('/dagRuns/manual__') && polls.push(Date.now()) === POLLS) polledOften.resolve();
  return undefined;
};

let yard: OrchestratedYard | undefined;
let close: (() => Promise<void>) | undefined;
let client: Client;
beforeAll(async () => {
  const listening = await fake.listen();
  ({ close } = listening);
  yard = await openOrchestratedYard({
    apiBase: `${listening.url}/api/v1`,
    username: 'admin',
    password: 'admin',
    pause: async () => {},
    runs: async () => [],
    stop: listening.close,
  });
  client = await yard.start();
}, START_MS);
afterAll(async () => {
  await yard?.close();
  await close?.();
});

/** The three calls of the interface specification. */
const isOneOfThree = ({ method, path }: RecordedRequest): boolean =>
  (method === 'POST' && path === '/api/v1/dags/h_headwater/dagRuns') ||
  (method === 'GET' && path.startsWith('/api/v1/dags/h_headwater/dagRuns/manual__')) ||
  (method === 'PATCH' && path === '/api/v1/dags/h_headwater');

it(
  'an orchestrator that offers only three calls computes a tehsil, and the Items are published; polls are at least 2.9 s apart',
  async () => {
    const { status, body } = await client.post<{
      readonly run_id: string;
      readonly stac_items: readonly { readonly id: string; readonly links: readonly { rel: string; href: string }[] }[];
    }>('/api/v1/generate_mws_layer/?wait=true', {
      state: 'Virtapradesh',
      district: 'Nirmalgarh',
      block: 'Calls',
      eo_account_id: 1,
    });
    expect([status, body.stac_items.length]).toEqual([200, 1]);
    const self = body.stac_items[0]?.links.find(({ rel }) => rel === 'self')?.href ?? '';
    expect((await fetch(self.replace(/^https?:\/\/[^/]+/, client.baseUrl))).status).toBe(200);
    expect((await client.get(`/api/v1/runs/${body.run_id}/`)).body).toMatchObject({
      state: 'success',
      backend: 'orchestrator',
      dag_run_id: expect.stringMatching(/^manual__/),
    });
    expect(fake.requests.filter(isOneOfThree).map(({ method }) => method)).toEqual([
      'PATCH',
      'POST',
      ...polls.map(() => 'GET'),
    ]);
    // The upper limit of the gaps is high, because a busy machine may delay a poll.
    const gaps = polls.slice(1).map((time, index) => time - (polls[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(2900);
    expect(Math.max(...gaps)).toBeLessThan(30_000);
    const { parts } = (
      await client.get<{ readonly parts: Readonly<Record<string, { readonly state: string }>> }>('/api/health')
    ).body;
    expect(parts['orchestrator']?.state).toBe('ok');
  },
  CASE_MS,
);
