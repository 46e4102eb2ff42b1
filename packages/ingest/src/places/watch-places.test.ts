import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { placesFingerprint, watchPlaces } from './watch-places.ts';

let dir = '';
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'watch-'))));
afterEach(() => rm(dir, { recursive: true, force: true }));

async function watched(steps: readonly (() => Promise<unknown>)[], fail: readonly number[] = []): Promise<number[]> {
  const stop = new AbortController();
  const readAt: number[] = [];
  let poll = 0;
  let calls = 0;
  await watchPlaces(dir, {
    everyMs: 1,
    signal: stop.signal,
    since: await placesFingerprint(dir),
    sleep: async () => {
      const step = steps[poll];
      poll += 1;
      if (step === undefined) stop.abort();
      else await step();
    },
    onChange: () => {
      calls += 1;
      readAt.push(poll);
      return fail.includes(calls) ? Promise.reject(new Error('the database is unreachable')) : Promise.resolve();
    },
  });
  return readAt;
}

const nothing = (): Promise<unknown> => Promise.resolve();
const put = (path: string, text: string) => async () => {
  await mkdir(join(dir, path, '..'), { recursive: true });
  await writeFile(join(dir, path), text);
};

it('reads a new folder when it no longer changes', async () => {
  const copying = [put('new/boundary.geojson', '{'), put('new/boundary.geojson', '{}'), put('new/mws.geojson', '{}')];
  expect(await watched([nothing, ...copying, nothing, nothing, nothing])).toEqual([5]);
});

it('detects changed and removed place files and a new root folder, and ignores other files', async () => {
  await put('a/boundary.geojson', '{}')();
  const touch = () => utimes(join(dir, 'a/boundary.geojson'), 1000, 1000);
  expect(await watched([touch, nothing])).toEqual([2]);
  expect(await watched([() => rm(join(dir, 'a'), { recursive: true }), nothing])).toEqual([2]);
  expect(await watched([put('notes.txt', 'x'), put('.hidden/boundary.geojson', 'x'), nothing, nothing])).toEqual([]);
  await rm(dir, { recursive: true });
  expect(await watched([put('b.geojson', '{}'), nothing])).toEqual([2]);
});

it('reads again after a failure', async () => {
  expect(await watched([put('b.geojson', '{}'), nothing, nothing, nothing], [1])).toEqual([2, 3]);
});
