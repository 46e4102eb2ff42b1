import { once } from 'node:events';
import { request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../../../scripts/loopback.mjs';
import { type OutgoingCall, watchOutgoing } from './watch-outgoing.ts';

const SECRET = 'x-secret-x';
const headers = { authorization: `Bearer ${SECRET}` };

it('watchOutgoing reports requests of `fetch` and of `node:http`, without queries, users and headers', async () => {
  const calls: OutgoingCall[] = [];
  const end = watchOutgoing((call) => calls.push(call));
  onTestFinished(end);
  const { origin, port, close } = await listenOnLoopback((_, response) => void response.writeHead(201).end());
  onTestFinished(() => close());
  await (await fetch(`${origin}/a?token=${SECRET}`, { method: 'POST', headers })).text();
  const sent = request({ host: '127.0.0.1', port, path: `/b?key=${SECRET}`, auth: `me:${SECRET}`, headers }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  await close();
  await fetch(`${origin}/c?${SECRET}`).catch(() => {});
  const call = (method: string, path: string, status: OutgoingCall['status']): OutgoingCall => ({
    method,
    address: `${origin}${path}`,
    status,
    ms: expect.any(Number),
  });
  expect(calls).toEqual([call('POST', '/a', 201), call('GET', '/b', 201), call('GET', '/c', 'failed')]);
  expect(JSON.stringify(calls)).not.toContain(SECRET);
  end();
  await fetch(`${origin}/d`).catch(() => {});
  expect(calls).toHaveLength(3);
});

it('watchOutgoing reports requests of threads with `sharesRequests` once, and no requests of other threads', async () => {
  const { origin, close } = await listenOnLoopback((_, response) => void response.end());
  onTestFinished(() => close());
  const calls: OutgoingCall[] = [];
  onTestFinished(watchOutgoing((call) => calls.push(call)));
  for (const sharesRequests of [false, true]) {
    const settings = { allowedOrigins: [origin], sharesRequests };
    const worker = new Worker(new URL('./thread-network.fixture.ts', import.meta.url), {
      workerData: { settings, href: `${origin}/of-${sharesRequests}?key=${SECRET}` },
      execArgv: ['--conditions=@headwater/source'],
    });
    await once(worker, 'exit');
  }
  // Reports keep their order, so a duplicate report would arrive before the report of this request.
  await fetch(`${origin}/last`).catch(() => {});
  await expect.poll(() => calls).toHaveLength(2);
  const call = { method: 'GET', status: 200, ms: expect.any(Number) };
  expect(calls).toEqual(
    expect.arrayContaining(['/of-true', '/last'].map((path) => ({ ...call, address: `${origin}${path}` }))),
  );
});
