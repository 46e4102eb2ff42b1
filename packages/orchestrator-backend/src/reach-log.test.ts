import type { Logger } from '@headwater/core';
import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { logReach, problemLog } from './reach-log.ts';

const MINUTE_MS = 60_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Line = readonly [level: string, text: string, fields: Readonly<Record<string, unknown>>];

function noting() {
  const lines: Line[] = [];
  let now = 0;
  const note =
    (level: string) =>
    (fields: Readonly<Record<string, unknown>>, text: string): void =>
      void lines.push([level, text, fields]);
  const logger: Logger = { debug: note('debug'), info: note('info'), error: note('error') };
  return {
    lines,
    logger,
    clock: { now: () => new Date(now) },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** A client of an orchestrator that really listens, and the log of its reach. */
async function reached() {
  const fake = new FakeOrchestrator();
  const listening = await fake.listen();
  const port = Number(new URL(listening.url).port);
  const client = createOrchestratorClient({
    baseUrl: listening.url,
    credentials: { username: 'admin', password: 'admin' },
    attempts: 3,
    clock: { now: () => 0, sleep: async () => {} },
  });
  const log = noting();
  closers.push(logReach({ client, ...log }));
  await client.health();
  return {
    ...log,
    fake,
    client,
    url: listening.url,
    kill: listening.close,
    revive: async () => void closers.push((await fake.listen(port)).close),
  };
}

describe('the log of an orchestrator’s reach', () => {
  it('tells the first refused connection, once a minute that it is still so, and once that it is back', async () => {
    const { lines, client, url, kill, revive, pass } = await reached();
    const ask = (): Promise<unknown> => client.health().catch(() => undefined);
    expect(lines).toEqual([]);
    await kill();
    // Each asks three times.
    await Promise.all([ask(), ask()]);
    const refused = expect.stringMatching(/^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
    const first = [
      'error',
      expect.stringMatching(/^the orchestrator does not answer: .*see whether its web server runs/),
    ];
    expect(lines).toEqual([[...first, { address: `${url}/`, problem: refused }]]);
    pass(MINUTE_MS - 1);
    await ask();
    expect(lines).toHaveLength(1);
    pass(1);
    await Promise.all([ask(), ask()]);
    expect(lines.slice(1)).toEqual([
      [
        'error',
        expect.stringContaining('still does not answer'),
        { address: `${url}/`, problem: refused, seconds: 60 },
      ],
    ]);
    pass(5000);
    await revive();
    await Promise.all([ask(), ask()]);
    expect(lines.slice(2)).toEqual([['info', 'the orchestrator answers again', { address: `${url}/`, seconds: 65 }]]);
  });

  it('is quiet while it comes and goes within a minute, and tells an outage that lasts', async () => {
    const { lines, client, fake, pass } = await reached();
    for (let i = 0; i < 10; i++) {
      fake.fault = () => (i % 2 === 0 ? { kind: 'reset' } : undefined);
      await client.health().catch(() => undefined);
      pass(1000);
    }
    expect(lines.map(([level]) => level)).toEqual(['error', 'info']);
    fake.fault = () => ({ kind: 'reset' });
    for (let i = 0; i < 60; i++) {
      await client.health().catch(() => undefined);
      pass(1000);
    }
    expect(lines.map(([level]) => level)).toEqual(['error', 'info', 'error']);
  });

  it('takes a proxy that has no server behind it for one that does not answer, and a refusal for an answer', async () => {
    const { lines, client, fake } = await reached();
    fake.fault = () => ({ kind: 'status', status: 401 });
    await client.health().catch(() => undefined);
    expect(lines).toEqual([]);
    fake.fault = () => ({ kind: 'status', status: 502 });
    await client.health().catch(() => undefined);
    expect(lines).toMatchObject([['error', {}, { problem: 'status 502' }]]);
  });
});

describe('the log of passes that fail', () => {
  it('leaves out what the reach tells, and says the same once a minute', async () => {
    const { lines, pass, ...log } = noting();
    const tell = problemLog(log);
    const { client, fake } = await reached();
    fake.fault = () => ({ kind: 'reset' });
    await client.health().catch(tell);
    expect(lines).toEqual([]);
    fake.fault = () => ({ kind: 'status', status: 401 });
    for (let i = 0; i < 5; i++) await client.health().catch(tell);
    expect(lines).toMatchObject([
      ['error', 'the orchestrator could not be looked at', { error: expect.stringContaining('answered 401') }],
    ]);
    pass(MINUTE_MS);
    await client.health().catch(tell);
    expect(lines).toHaveLength(2);
  });
});
