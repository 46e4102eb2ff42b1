import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { writePlace } from '@headwater/ingest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { smallPlace } from '../packages/server/src/small-world.fixture.ts';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import { type Client, signIn } from './client.ts';
import { openYard, type ServerYard } from './server-pair.fixture.ts';
import { freePort, runCommand, type ServerProcess } from './server-process.ts';

/** Creates a separate PostgreSQL, because this suite drains and stops all servers that use it. */
const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: a rolling restart of two servers. ${missing ?? ''}`);

const PASSWORD = 'tall-river-42';
const PLACE = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Rampur', eo_account_id: 1 };
const START_MS = 240_000;
const CASE_MS = 180_000;
const CHECK_MS = 100;
const CLIENTS = 20;
const ENV = { HEADWATER_SAMPLE: 'off', SUPERUSER_PASSWORD: PASSWORD, STOP_DELAY_SECONDS: '2' };

/** A round-robin proxy that checks the readiness of servers and never retries a request. */
interface Proxy {
  readonly url: string;
  /** Number of requests by status; 0 is a broken connection. */
  readonly statuses: Map<number, number>;
  readonly close: () => void;
}

async function openProxy(ports: readonly number[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(ports);
  const statuses = new Map<number, number>();
  const checks = setInterval(() => ports.forEach((port) => void check(port)), CHECK_MS);
  const check = async (port: number): Promise<void> => {
    const isReady = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(port);
    else ready.delete(port);
  };
  let turn = 0;
  const server: Server = createServer((incoming, outgoing) => {
    const live = ports.filter((port) => ready.has(port));
    const port = live[(turn += 1) % live.length];
    const end = (status: number): void => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (!outgoing.headersSent) outgoing.writeHead(status === 0 ? 502 : status);
    };
    const { url: path = '/', method, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, path, method, headers, agent }, (answer: IncomingMessage) => {
      end(answer.statusCode ?? 0);
      answer.pipe(outgoing);
    });
    passed.on('error', () => {
      end(0);
      outgoing.end();
    });
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    clearInterval(checks);
    agent.destroy();
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, statuses, close };
}

describe.skipIf(make === undefined)('two servers on one PostgreSQL behind a proxy', () => {
  let yard: ServerYard;
  let servers: [ServerProcess, ServerProcess];
  let client: Client;
  const ports: number[] = [];
  const start = async (port: number | undefined): Promise<ServerProcess> => await yard.start(ENV, port);

  beforeAll(async () => {
    if (make === undefined) return;
    yard = await openYard(make);
    await writePlace(join(yard.dataDir, 'places', 'rampur'), smallPlace(PLACE.block));
    ports.push(await freePort(), await freePort());
    const first = await start(ports[0]);
    const [, username = ''] = await first.printed(/superuser {8}(test_user_\d{4})/, START_MS);
    servers = [first, await start(ports[1])];
    client = await signIn(first.baseUrl, username, PASSWORD);
  }, START_MS);
  afterAll(() => yard.close());

  it(
    'can be restarted one after the other without a failed request',
    async () => {
      const proxy = await openProxy(ports);
      const ended = new AbortController();
      const load = Array.from({ length: CLIENTS }, async () => {
        for (let i = 0; !ended.signal.aborted; i += 1)
          await fetch(`${proxy.url}/api/v1/${i % 2 === 0 ? 'stac/' : 'runs/'}`, {
            headers: { authorization: `Bearer ${client.token}` },
          }).then((answer) => answer.arrayBuffer());
      });
      for (const index of [0, 1] as const) {
        const { code } = await servers[index].stop('SIGTERM');
        expect(code).toBe(0);
        servers[index] = await start(ports[index]);
        // Waits until the proxy uses the new server, because the other server stops next.
        await setTimeout(5 * CHECK_MS);
      }
      ended.abort();
      await Promise.all(load);
      proxy.close();
      const counts = [...proxy.statuses];
      console.log(`requests by status: ${counts.map((pair) => pair.join(': ')).join(', ')}`);
      expect(proxy.statuses.get(200)).toBeGreaterThan(100);
      expect(counts.map(([status]) => status)).toEqual([200]);
    },
    CASE_MS,
  );

  it(
    'refuse new runs with Retry-After while they are drained, and still serve data',
    async () => {
      const { dataDir, env } = yard;
      const command = (args: readonly string[]) => runCommand({ dataDir, env, args: ['drain', ...args] });
      const compute = (): Promise<Response> =>
        fetch(`${servers[1].baseUrl}/api/v1/lulc_for_tehsil/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...PLACE, start_year: 2021, end_year: 2021 }),
        });
      const drained = await command(['--minutes', '5']);
      expect(drained).toMatchObject({ code: 0, output: expect.stringContaining('drained: no worker computes a run') });
      expect((await client.get('/api/v1/stac/')).status).toBe(200);
      const refused = await compute();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('starts no new runs at present') });
      expect(await command(['--end'])).toMatchObject({ code: 0 });
      await vi.waitFor(async () => expect((await compute()).status).toBe(202), { timeout: 10_000, interval: 200 });
    },
    CASE_MS,
  );
});
