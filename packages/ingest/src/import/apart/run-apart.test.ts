import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeEndless } from '../geopackage/endless-table.fixture.ts';
import { writeGeopackage } from '../geopackage/write-geopackage.fixture.ts';
import type { ApartOrder } from './apart-message.ts';
import { runApart } from './run-apart.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-apart-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FIXTURE = new URL('./apart-worker.fixture.ts', import.meta.url);
const signal = new AbortController().signal;
const run = <T>(data: unknown): Promise<T> => runApart<T>({ worker: FIXTURE, data, fileName: 'in.gpkg', signal });

it('gives what the work does, also where that is large', async () => {
  const rows = await run<readonly { readonly row: number }[]>({ rows: 200_000 });
  expect([rows.length, rows.at(-1)]).toEqual([200_000, { row: 199_999, start: 1e9, bytes: 99 }]);
});

it('knows no variable of the environment', async () => {
  process.env['HEADWATER_APART_SECRET'] = 's3cret';
  try {
    expect(JSON.stringify(await run({ env: true }))).not.toContain('s3cret');
  } finally {
    delete process.env['HEADWATER_APART_SECRET'];
  }
});

it.each([
  ['broken', { code: 'validation', message: /torn/ }],
  ['disk', { code: 'storage_full', message: /in\.gpkg/ }],
  ['fault', { message: /in\.gpkg could not be read: Error: a fault of ours/ }],
  ['exit', { message: /in\.gpkg ended with SIGKILL/ }],
])('tells what came of it: %s', async (throws, expected) => {
  const { message, ...rest } = expected;
  await expect(run({ throws })).rejects.toMatchObject({ ...rest, message: expect.stringMatching(message) });
});

it('does not outlive whoever started it, even in the middle of native code', async () => {
  const path = join(folder, 'endless.gpkg');
  writeGeopackage(path, { layer: [{ at: [78, 17], properties: { uid: '12_1' } }] });
  makeEndless(path, 'gpkg_contents');
  const child = fork(new URL('./apart-process.ts', import.meta.url), [], {
    serialization: 'advanced',
    execArgv: ['--conditions=@headwater/source'],
  });
  const exited = once(child, 'exit');
  const worker = new URL('./apart-worker.fixture.ts', import.meta.url).href;
  const order: ApartOrder = { worker, data: { endless: path }, heapMb: 100 };
  child.send(order);
  // The thread says so, and then reads.
  await once(child, 'message');
  child.disconnect();
  expect(await exited).toEqual([null, 'SIGKILL']);
});
