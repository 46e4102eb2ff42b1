import type { Logger } from '@headwater/core';
import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { logOutages, problemLog } from './outage-log.ts';

const MINUTE_MS = 60_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Line = readonly [level: string, text: string, fields: Readonly<Record<string, unknown>>];

function recordedLog() {
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

async function connected() {
  const fake = new FakeOrchestrator();
  const listening = await fake.listen();
  const port = Number(new URL(listening.url).port);
  const client = createOrchestratorClient({
    baseUrl: listening.url,
    credentials: { username: 'admin', password: 'admin' },
    attempts: 3,
    clock: { now: () => 0, sleep: async () => {} },
  });
  const log = recordedLog();
  closers.push(logOutages({ client, ...log }));
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

describe('the log of outages', () => {
  it('reports the first refused connection, then the outage once a minute, and the end of the outage once', async () => {
    const { lines, client, url, kill, revive, pass } = await connected();
    const check = (): Promise<unknown> => client.health().catch(() => undefined);
    expect(lines).toEqual([]);
    await kill();
    // Each check sends up to three requests.
    await Promise.all([check(), check()]);
    const refused = expect.stringMatching(/^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
    const first = [
      'error',
      expect.stringMatching(/^the orchestrator does not respond: .*check that its web server is running/),
    ];
    expect(lines).toEqual([[...first, { address: `${url}/`, problem: refused }]]);
    pass(MINUTE_MS - 1);
    await check();
    expect(lines).toHaveLength(1);
    pass(1);
    await Promise.all([check(), check()]);
    expect(lines.slice(1)).toEqual([
      [
        'error',
        expect.stringContaining('still does not respond'),
        { address: `${url}/`, problem: refused, seconds: 60 },
      ],
    ]);
    pass(5000);
    await revive();
    await Promise.all([check(), check()]);
    expect(lines.slice(2)).toEqual([['info', 'the orchestrator responds again', { address: `${url}/`, seconds: 65 }]]);
  });

  it('does not report repeated outages within a minute, but reports a longer outage', async () => {
    const { lines, client, fake, pass } = await connected();
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

  it('does not report calls that the orchestrator does not offer, but reports an outage of other calls', async () => {
    const fake = new FakeOrchestrator({ threeCalls: 'closed' });
    const credentials = { username: 'admin', password: 'admin' };
    const client = createOrchestratorClient({
      baseUrl: `${fake.baseUrl}/api/v1`,
      credentials,
      attempts: 1,
      fetch: fake.fetch,
    });
    const log = recordedLog();
    closers.push(logOutages({ client, ...log }));
    await client.health().catch(() => undefined);
    await client
      .run('d', 'r')
      .read()
      .catch(() => undefined);
    expect(log.lines).toEqual([]);
    fake.fault = () => ({ kind: 'reset' });
    await client
      .run('d', 'r')
      .read()
      .catch(() => undefined);
    expect(log.lines).toMatchObject([['error', {}, { problem: 'read ECONNRESET' }]]);
  });

  it('treats the error of a proxy as an outage, and a refusal as a response', async () => {
    const { lines, client, fake } = await connected();
    fake.fault = () => ({ kind: 'status', status: 401 });
    await client.health().catch(() => undefined);
    expect(lines).toEqual([]);
    fake.fault = () => ({ kind: 'status', status: 502 });
    await client.health().catch(() => undefined);
    expect(lines).toMatchObject([['error', {}, { problem: 'status 502' }]]);
  });
});

describe('the log of errors of a watcher', () => {
  it('leaves out outages, and repeats an equal line at most once a minute', async () => {
    const { lines, pass, ...log } = recordedLog();
    const logProblem = problemLog(log);
    const { client, fake } = await connected();
    fake.fault = () => ({ kind: 'reset' });
    await client.health().catch(logProblem);
    expect(lines).toEqual([]);
    fake.fault = () => ({ kind: 'status', status: 401 });
    for (let i = 0; i < 5; i++) await client.health().catch(logProblem);
    expect(lines).toMatchObject([
      ['error', 'the runs at the orchestrator could not be read', { error: expect.stringContaining('returned 401') }],
    ]);
    pass(MINUTE_MS);
    await client.health().catch(logProblem);
    expect(lines).toHaveLength(2);
  });
});
