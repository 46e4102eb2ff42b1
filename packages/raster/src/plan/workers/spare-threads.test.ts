import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeGeoTiff } from '../../cog/geotiff-writer.ts';
import { createPixelEngine } from '../../engine.ts';
import { quiet } from '../test-plans.fixture.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './pool.ts';
import { SpareThreads } from './spare-threads.ts';

const url = workerUrl('./guarded.fixture', import.meta.url, '@headwater/raster');

function poolWith(spare: SpareThreads, signal = new AbortController().signal): WorkerPool<string, string> {
  const workerData = new Int32Array(new SharedArrayBuffer(4));
  const guard = { busyMs: 60_000, blame: (task: string, why: string) => new Error(`${task}: ${why}`) };
  return new WorkerPool({ url, workerData, threads: 1, signal, guard, spare });
}

it('a thread waits for the next pool, but not after a cancellation; a lost thread is replaced', async () => {
  const spare = new SpareThreads();
  onTestFinished(() => spare.close());
  const isKept = (): boolean => {
    const kept = spare.take(url);
    if (kept !== undefined) void spare.keep(url, kept);
    return kept !== undefined;
  };
  const first = poolWith(spare);
  await first.run('answer');
  await first.close();
  const kept = spare.take(url);
  expect(kept).toBeDefined();
  if (kept !== undefined) await spare.keep(url, kept);
  const second = poolWith(spare);
  expect(isKept()).toBe(false);
  expect(await second.run('answer')).toBe('done: answer');
  await expect(second.run('exit')).rejects.toThrow('exit code 3');
  await second.run('answer');
  await second.close();
  expect(isKept()).toBe(true);
  const stopping = new AbortController();
  const third = poolWith(spare, stopping.signal);
  stopping.abort();
  await third.close();
  expect(isKept()).toBe(false);
});

it('threads that wait for the next call have no file open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-spare-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.tif');
  const grid = { crs: 'EPSG:4326', west: 76, north: 17, pixelWidth: 0.001, pixelHeight: 0.001, cols: 20, rows: 20 };
  const data = Float32Array.from({ length: 400 }, (_, index) => index);
  await writeGeoTiff(path, { grid, data, nodata: -9999, overviews: 'none', predictor: 1, tileSize: 16 });
  const scratchDir = join(folder, 'scratch');
  const engine = createPixelEngine({ scratchDir, threads: 1, keepsThreads: true });
  const request = { grid, type: 'float32', nodata: -9999, path, resampling: 'nearest' } as const;
  for (let count = 0; count < 3; count += 1) {
    expect(await engine.gridOf(path)).toMatchObject({ cols: 20, type: 'float32' });
    await engine.release([await engine.read(request, quiet())]);
  }
  const openFiles = (): readonly string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  await expect.poll(() => openFiles().filter((file) => file.startsWith(folder))).toEqual([]);
  await engine.close();
});
