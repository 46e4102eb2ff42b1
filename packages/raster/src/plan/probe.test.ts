import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPixelEngine } from '../engine.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headwater-probe-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it('the probe reports that worker threads start and decode', async () => {
  const engine = createPixelEngine({ scratchDir: join(dir, 'scratch'), threads: 2 });
  expect(await engine.probe?.()).toBe('worker threads start and decode; up to 2 at a time');
  await engine.close();
});

it('the probe fails while its threads do not start or give wrong replies, and works again afterwards', async () => {
  const module = join(dir, 'thread.mjs');
  const engine = createPixelEngine({ scratchDir: join(dir, 'scratch'), probeWorker: pathToFileURL(module) });
  await expect(engine.probe?.()).rejects.toThrow(/worker thread stopped unexpectedly .*thread\.mjs/);
  await writeFile(module, 'process.exit(3);');
  await expect(engine.probe?.()).rejects.toThrow('exit code 3');
  const answering = (sum: number): string =>
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage({ result: ${sum} }));`;
  await writeFile(module, answering(1));
  await expect(engine.probe?.()).rejects.toThrow('other pixels');
  await writeFile(module, answering(1792));
  expect(await engine.probe?.()).toMatch(/start and decode/);
  await engine.close();
});

it('the probe fails while its scratch folder is not writable', async () => {
  const scratchDir = join(dir, 'scratch');
  await writeFile(scratchDir, 'a file where a folder should be');
  const engine = createPixelEngine({ scratchDir });
  await expect(engine.probe?.()).rejects.toThrow(/scratch/);
  await rm(scratchDir);
  expect(await engine.probe?.()).toMatch(/start and decode/);
  await engine.close();
});
