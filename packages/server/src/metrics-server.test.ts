import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { serveMetrics } from './metrics-server.ts';

const TOKEN = 'a token of the metrics';
const METRICS = {
  type: 'text/plain; version=0.0.4; charset=utf-8',
  text: async () => 'headwater_info{version="1"} 1\n',
};

async function freePort(): Promise<number> {
  const probe = createServer().listen({ host: '127.0.0.1', port: 0 });
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

it('serves the metrics of a worker only to this machine and to requests with the token', async () => {
  const metricsPort = await freePort();
  const address = { host: '127.0.0.1', metricsPort, metricsToken: TOKEN };
  const end = await serveMetrics(address, METRICS);
  onTestFinished(end);
  const at = `http://127.0.0.1:${metricsPort}`;
  const statusFor = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${at}/metrics`, { headers })).status;
  const answer = await fetch(`${at}/metrics`);
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    METRICS.type,
    await METRICS.text(),
  ]);
  const passedOn = { 'x-forwarded-for': '127.0.0.1' };
  expect(await statusFor(passedOn)).toBe(401);
  expect(await statusFor({ ...passedOn, authorization: `Bearer ${TOKEN}x` })).toBe(401);
  expect(await statusFor({ ...passedOn, authorization: `Bearer ${TOKEN}` })).toBe(200);
  expect((await fetch(`${at}/api/health`)).status).toBe(404);
  expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(405);
  await expect(serveMetrics(address, METRICS)).rejects.toThrow(/^METRICS_PORT: \d+ cannot be used .*EADDRINUSE/);
});
