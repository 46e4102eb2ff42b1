import type { Fault } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID, SERVICE } from './bench.fixture.ts';

let world: Bench | undefined;
afterEach(() => world?.stop());

const status = (code: number, type: string, body: string): Fault => ({
  kind: 'status',
  status: code,
  body,
  headers: { 'content-type': type },
});

const PROXY_RESPONSES = [
  ['an ingress', status(404, 'text/plain', '404 page not found')],
  ['an HTML page', status(404, 'text/html', '<html>404</html>')],
  ['a maintenance page', status(200, 'text/html', '<html><title>Maintenance</title></html>')],
] as const;

const slow = (): Bench => {
  const world: Bench = bench({
    dags: [
      {
        ...CALLS_BACK,
        tasks: [
          {
            id: 'execute',
            run: async ({ conf, post }) => {
              await world.clock.sleep(60_000);
              return post(`${SERVICE}/api/export-asset`, { conf });
            },
          },
        ],
      },
    ],
  });
  return world;
};

describe('a run, if a proxy responds instead of the orchestrator for half a minute', () => {
  it.each(PROXY_RESPONSES)('is started (%s)', async (_name, fault) => {
    world = bench();
    const until = world.clock.now() + 30_000;
    const { fake, clock } = world;
    fake.fault = () => (clock.now() < until ? fault : undefined);
    const id = await world.start();
    world.server().start();
    expect((await world.ended(id)).state).toBe('success');
    expect(fake.runsOf(DAG_ID)).toHaveLength(1);
  });

  it.each(PROXY_RESPONSES)('is not lost if it is running (%s)', async (_name, fault) => {
    world = slow();
    const { fake, clock } = world;
    world.server().start();
    const ids: string[] = [];
    for (let each = 0; each < 10; each++) {
      ids.push(await world.start());
      await clock.sleep(5000);
    }
    const until = clock.now() + 30_000;
    fake.fault = () => (clock.now() < until ? fault : undefined);
    ids.push(await world.start());
    for (const id of ids) expect((await world.ended(id)).state).toBe('success');
    expect(fake.runsOf(DAG_ID)).toHaveLength(ids.length);
  });

  it('is started only once if the response to its trigger is an HTML page', async () => {
    world = bench();
    const { fake, clock } = world;
    let left = 1;
    const fetch = clock.holding(async (input, init) => {
      const request = new Request(input, init);
      const answer = await fake.fetch(request);
      const isTrigger = request.method === 'POST' && request.url.endsWith('/dagRuns');
      return isTrigger && left-- > 0
        ? new Response('<html>wait</html>', { headers: { 'content-type': 'text/html' } })
        : answer;
    });
    const id = await world.start();
    world.server({ orchestrator: { fetch } }).start();
    expect((await world.ended(id)).state).toBe('success');
    expect(fake.runsOf(DAG_ID)).toHaveLength(1);
  });
});
