import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@headwater/core';
import { createMemoryStores } from '@headwater/core/memory';
import { writePlace } from '@headwater/ingest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { smallPlace } from './e2e/small-world.fixture.ts';
import { followPlaces, seedPlaces } from './places.ts';

let dataDir = '';
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'headwater-places-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

type Line = readonly [message: string, fields: Readonly<Record<string, unknown>>];
function recorder(): { readonly logger: Logger; readonly lines: Line[] } {
  const lines: Line[] = [];
  const note: Logger['info'] = (fields, message) => void lines.push([message, fields]);
  return { logger: { debug: note, info: note, error: note }, lines };
}

it('says what a start read, writes nothing twice, and takes up a folder that is dropped in later', async () => {
  const { logger, lines } = recorder();
  const stores = createMemoryStores();
  const deps = { dataDir, stores, logger };
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  await seedPlaces(deps);
  const counts = { tehsils: 1, unchanged: 0, skippedFiles: 0, mended: 0 };
  const saved = [expect.stringMatching(/^Jalsrota \(/)];
  expect(lines).toEqual([['places were read', { ...counts, saved }]]);
  const { since } = await seedPlaces(deps);
  expect(lines.at(-1)).toEqual(['places were read', { ...counts, unchanged: 1, saved: [] }]);

  const stop = new AbortController();
  const looks = [
    () => writePlace(join(dataDir, 'places/two'), smallPlace('Nadi')),
    () => writeFile(join(dataDir, 'places/bad.geojson'), '{'),
    () => Promise.resolve(),
    () => Promise.resolve(stop.abort()),
  ];
  const sleep = (): Promise<void> => looks.shift()?.() ?? Promise.resolve();
  await followPlaces(deps, { since, signal: stop.signal, sleep });
  expect(lines.slice(2)).toEqual([
    ['a places file was skipped', { file: 'bad.geojson', reason: expect.stringContaining('not JSON') }],
    [
      'places were read',
      { tehsils: 2, unchanged: 1, skippedFiles: 1, mended: 0, saved: [expect.stringMatching(/^Nadi \(/)] },
    ],
  ]);
});
