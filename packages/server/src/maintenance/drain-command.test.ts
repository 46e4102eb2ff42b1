import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DRAINING_UNTIL } from '@headwater/core/runs';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { readConfig } from '../config/read-config.ts';
import { openStores, openStoresBeside } from '../database.ts';
import { drainCommand, readDrainOptions } from './drain-command.ts';

let dataDir: string;
let printed: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-drain-'));
  printed = '';
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const RUN = { id: 'r', pipeline: 'p', params: {}, fingerprint: 'f', ownerId: 1 } as const;
const CLAIM = {
  workerId: 'w',
  leaseMs: 60_000,
  maxAttempts: 3,
  pipelines: ['p'],
  queue: 'nrm',
  mostUnowned: 1,
} as const;

it('a service starts no run during a drain; the drain waits for the run in progress, and runs start again afterwards', async () => {
  await copyDatabase(join(dataDir, 'db'));
  const config = readConfig({ DATA_DIR: dataDir });
  const stores = await openStores(config, { onDeath: () => {} });
  onTestFinished(() => stores.close());
  await stores.runs.enqueue(RUN);
  const running = await stores.runs.claim(CLAIM);
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const drained = drainCommand(config, ['--minutes', '5']);
  await vi.waitFor(() => expect(printed).toContain('1 worker at work'), { timeout: 20_000 });
  await expect(stores.runs.enqueue({ ...RUN, id: 's', fingerprint: 'g' })).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfterSeconds: 60 },
  });
  expect(await stores.runs.claim(CLAIM)).toBeUndefined();
  await stores.runs.fail('r', running?.token ?? 0, { code: 'internal', message: 'ended' });
  await drained;
  expect(printed).toMatch(/drained: no worker computes a run\n$/);
  expect(process.exitCode).toBeUndefined();
  await drainCommand(config, ['--end']);
  output.mockRestore();
  expect(printed).toMatch(/the drain has ended; runs are started again\n$/);
});

it('a drain waits neither for a parked run nor for the run of a dead worker', async () => {
  await copyDatabase(join(dataDir, 'db'));
  const config = readConfig({ DATA_DIR: dataDir });
  const stores = await openStores(config, { onDeath: () => {} });
  onTestFinished(() => stores.close());
  await stores.runs.enqueue(RUN);
  const parked = await stores.runs.claim(CLAIM);
  expect(await stores.runs.park('r', parked?.token ?? 0, 600_000)).toBe('ok');
  await stores.runs.enqueue({ ...RUN, id: 's', fingerprint: 'g' });
  expect(await stores.runs.claim({ ...CLAIM, leaseMs: 1 })).toMatchObject({ id: 's' });
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  await drainCommand(config, ['--minutes', '5']);
  output.mockRestore();
  expect(printed).toMatch(/drained: no worker computes a run\n$/);
  expect(await stores.runs.list({ state: 'running', limit: 1, offset: 0 })).toMatchObject({ total: 2 });
});

it('a drain also applies to commands that use the database while the service runs', async () => {
  await copyDatabase(join(dataDir, 'db'));
  const stores = await openStoresBeside(readConfig({ DATA_DIR: dataDir }));
  onTestFinished(() => stores.close());
  await stores.installation.write(DRAINING_UNTIL, new Date(Date.now() + 60_000).toISOString());
  await expect(stores.runs.enqueue(RUN)).rejects.toMatchObject({ code: 'unavailable' });
});

it.each([
  [[], 60],
  [['--minutes', '1440'], 1440],
  [['--end'], 0],
])('the options %j give %i minutes, where 0 ends the drain', (args, minutes) => {
  expect(readDrainOptions(args)).toBe(minutes);
});

it.each([[['--minutes', '0']], [['--minutes', '1e2']], [['now']]])('%j is refused with the usage', (args) => {
  expect(() => readDrainOptions(args)).toThrow('usage: headwater drain [--minutes N]');
});
