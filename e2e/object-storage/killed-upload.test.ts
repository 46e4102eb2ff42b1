import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createDirectoryAssets } from '@headwater/ingest';
import { createFakeBucket, fakeS3 } from '@headwater/object-storage/testing';
import { bucketServer } from './bucket-server.fixture.ts';
import { startUploader, type Uploader } from './uploader-process.fixture.ts';

const PART = 8 * 2 ** 20;

it('if the process of an upload is killed, the next process continues the upload with the stored parts', async () => {
  const base = await mkdtemp(join(tmpdir(), 'headwater-killed-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const assets = createDirectoryAssets(join(base, 'assets'));
  await assets.begin('run', 1);
  const bytes = Buffer.alloc(3 * PART + 5, 'headwater');
  await assets.write('run', 1, 'large.tif', bytes);
  const bucket = createFakeBucket('maps', 'us-east-1');
  const send = fakeS3(bucket);
  let child: Uploader | undefined;
  let parts = 0;
  const storage = await bucketServer(async (request, signal) => {
    if (request.method === 'PUT') parts += 1;
    if (parts === 3) child?.kill();
    return send(request, signal);
  });
  onTestFinished(() => storage.close());
  const run = (): Promise<string> => {
    child = startUploader(base, storage);
    return child.ended;
  };
  expect(await run()).toBe('SIGKILL');
  expect(bucket.objects.size).toBe(0);
  expect(await readdir(join(base, 'objects', 'run', '.1'))).toEqual(['large.tif.json']);
  parts = 10;
  expect(await run()).toBe('exit code 0');
  // At most two parts are sent after the kill, because two of the four parts were stored before.
  expect(parts - 10).toBeLessThanOrEqual(2);
  expect(bucket.writes).toEqual(new Map([['run/1/large.tif', 1]]));
  expect(Buffer.compare(bucket.objects.get('run/1/large.tif')?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
  expect(bucket.uploads.size).toBe(0);
});
