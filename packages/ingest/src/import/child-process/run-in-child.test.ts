import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeEndless } from '../geopackage/endless-table.fixture.ts';
import { writeGeopackage } from '../geopackage/write-geopackage.fixture.ts';
import type { ChildTask } from './report-to-parent.ts';
import { runInChild } from './run-in-child.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-child-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FIXTURE = new URL('./child-worker.fixture.ts', import.meta.url);
const signal = new AbortController().signal;
const run = <T>(data: unknown): Promise<T> => runInChild<T>({ worker: FIXTURE, data, fileName: 'in.gpkg', signal });

it('resolves with the result of the work, even if the result is large', async () => {
  const rows = await run<readonly { readonly row: number }[]>({ rows: 200_000 });
  expect([rows.length, rows.at(-1)]).toEqual([200_000, { row: 199_999, start: 1e9, bytes: 99 }]);
});

it('passes no environment variable to the process', async () => {
  process.env['HEADWATER_CHILD_SECRET'] = 's3cret';
  try {
    expect(JSON.stringify(await run({ env: true }))).not.toContain('s3cret');
  } finally {
    delete process.env['HEADWATER_CHILD_SECRET'];
  }
});

it.each([
  ['broken', { code: 'validation', message: /torn/ }],
  ['disk', { code: 'storage_full', message: /in\.gpkg/ }],
  ['fault', { message: /in\.gpkg could not be read: Error: a programming error/ }],
  ['exit', { message: /in\.gpkg ended with SIGKILL/ }],
])('rejects with the reason: %s', async (throws, expected) => {
  const { message, ...rest } = expected;
  await expect(run({ throws })).rejects.toMatchObject({ ...rest, message: expect.stringMatching(message) });
});

it('ends the child process when its parent ends, even in the middle of native code', async () => {
  const path = join(folder, 'endless.gpkg');
  writeGeopackage(path, { layer: [{ at: [78, 17], properties: { uid: '12_1' } }] });
  makeEndless(path, 'gpkg_contents');
  const child = fork(new URL('./child-process.ts', import.meta.url), [], {
    serialization: 'advanced',
    execArgv: ['--conditions=@headwater/source'],
  });
  const exited = once(child, 'exit');
  const worker = new URL('./child-worker.fixture.ts', import.meta.url).href;
  const order: ChildTask = { worker, data: { endless: path }, heapMb: 100 };
  child.send(order);
  // The thread sends this message just before it reads the endless file.
  await once(child, 'message');
  child.disconnect();
  expect(await exited).toEqual([null, 'SIGKILL']);
});
