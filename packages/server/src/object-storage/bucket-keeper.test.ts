import { DomainError, type Timers } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { expect, it, onTestFinished } from 'vitest';
import { createBucketKeeper, type KeeperParts, namedFiles } from './bucket-keeper.ts';

/** Creates a keeper with simulated pauses. Pauses below a minute end immediately; longer pauses end when aborted. */
function keeperOf(
  results: readonly (Error | undefined)[],
  check: KeeperParts['check'] = async () => ({ level: 'ok', text: '' }),
  claim: KeeperParts['claim'] = async () => {},
) {
  const pauses: number[] = [];
  const lines: string[] = [];
  const ends: (() => void)[] = [];
  const timers: Timers = {
    sleep: (ms, signal) => {
      pauses.push(ms);
      if (ms < 60_000) return Promise.resolve();
      return new Promise((resolve) => {
        ends.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      });
    },
  };
  const left = [...results];
  let passes = 0;
  const uploads = {
    run: async () => {
      passes += 1;
      const failure = left.shift();
      if (failure !== undefined) throw failure;
    },
    recover: async () => 0,
    pending: () => left.length,
  };
  const note = (_fields: object, line: string): void => void lines.push(line);
  const logger = { debug: note, info: note, error: note };
  const { installation } = createMemoryDomainStores();
  const keeper = createBucketKeeper({ name: 's3://maps', uploads, check, claim, installation, timers, logger });
  onTestFinished(() => keeper.close());
  return { keeper, pauses, lines, passes: () => passes };
}

const away = () => new DomainError('unavailable', 's3://maps: HTTP 503 after 4 attempts.');

it('repeats a pass with growing pauses, and logs a reason once', async () => {
  const { keeper, pauses, lines, passes } = keeperOf([away(), away(), away()]);
  keeper.start();
  await expect.poll(passes).toBe(4);
  await expect.poll(() => pauses.at(-1)).toBe(60_000);
  expect(pauses.filter((ms) => ms !== 200)).toEqual([1000, 2000, 4000, 60_000]);
  expect(lines).toEqual([
    expect.stringMatching(
      /^warning: published files wait for their copy in s3:\/\/maps: .* HTTP 503.*They are served from DATA_DIR until then/,
    ),
    'copying of published files to s3://maps works again',
  ]);
  expect(keeper.health()).toEqual({ state: 'ok', detail: 's3://maps' });
});

it('adds a full stop to a reason that has none', async () => {
  const { keeper, lines } = keeperOf([new Error('connect ECONNREFUSED')]);
  keeper.start();
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[0]).toContain('s3://maps: connect ECONNREFUSED. They are served');
});

it('begins a pass when a run has ended', async () => {
  const { keeper, passes, pauses } = keeperOf([]);
  keeper.start();
  await expect.poll(() => pauses.at(-1)).toBe(60_000);
  keeper.wake();
  await expect.poll(passes).toBe(2);
});

it('uploads nothing before the check succeeds, and shows the reason in health', async () => {
  let answers = 0;
  const { keeper, passes } = keeperOf([away()], async () => {
    answers += 1;
    if (answers < 3) return { level: 'warning', text: 'STORAGE_ACCESS_KEY_ID: s3:PutObject is denied.' };
    if (answers === 3)
      expect(keeper.health()).toMatchObject({ state: 'warning', detail: expect.stringContaining('is denied') });
    return { level: 'ok', text: '' };
  });
  keeper.start();
  await expect.poll(passes).toBe(2);
  expect(answers).toBe(4);
});

it('returns only those files of an attempt that current Items name', async () => {
  const item = (replaced: boolean, ...hrefs: readonly string[]) => ({
    collectionPath: 'a/b/c',
    id: 'x',
    version: 1,
    runId: 'run',
    replaced,
    item: { assets: Object.fromEntries(hrefs.map((href) => [href, { href }])) },
  });
  const catalog = {
    itemsOfRun: async () => [
      item(false, '/api/v1/assets/run/1/a.tif', '/api/v1/assets/run/1/b.json', '/api/v1/assets/other/1/c.tif', '/maps'),
      item(true, '/api/v1/assets/run/1/old.tif'),
    ],
  };
  expect(await namedFiles(catalog)({ runId: 'run', token: 1 })).toEqual(['a.tif', 'b.json']);
});

it('neither copies nor removes files after another installation has taken the bucket over', async () => {
  let isOwner = true;
  const { keeper, passes, pauses } = keeperOf([], undefined, async () => {
    if (!isOwner) throw new Error('s3://maps contains files of another installation (test).');
  });
  keeper.start();
  await expect.poll(() => pauses.at(-1)).toBe(60_000);
  isOwner = false;
  keeper.wake();
  await expect.poll(() => keeper.health().state).toBe('warning');
  expect([passes(), keeper.health().detail]).toEqual([1, expect.stringContaining('another installation')]);
});
