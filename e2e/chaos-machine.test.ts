import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChaosYard,
  eventually,
  expectNothingLost,
  openChaosYard,
  postgresFor,
  REQUESTS,
  STEP_MS,
} from './chaos-yard.fixture.ts';
import { type Client, clientOf, signIn } from './client.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const ENV = { RUN_LEASE_SECONDS: '8' } as const;
const PASSWORD = 'tall-river-4711';
const HOUR = 3600;
const make = postgresFor('a full disk, and a clock that jumps');

/** Returns a new mounted folder, or the reason why that is not possible. */
function smallDisk(megabytes: number): { readonly folder: string } | { readonly missing: string } {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder], { stdio: 'pipe' });
    return { folder };
  } catch (error) {
    rmSync(folder, { recursive: true });
    return { missing: `a small file system cannot be mounted: ${String(error).split('\n', 2).join(' ')}` };
  }
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true });
}

function fill(folder: string, except: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'ballast'), new Uint8Array(Math.max(0, bavail * bsize - except)));
}

const free = (folder: string): void => rmSync(join(folder, 'ballast'));

const disks = [smallDisk(192), smallDisk(160)];
const [shared, own] = disks.map((disk) => ('folder' in disk ? disk.folder : undefined));
for (const disk of disks) if ('missing' in disk) console.log(`skipped: a full disk. ${disk.missing}`);
afterAll(() => disks.forEach((disk) => 'folder' in disk && unmount(disk.folder)));

describe.skipIf(make === undefined || shared === undefined)('a full disk that has files and no database', () => {
  let yard: ChaosYard;
  afterAll(() => yard?.close());

  it(
    'makes runs fail with an error that names the cause; after space is freed, runs succeed without a restart',
    async () => {
      if (make === undefined || shared === undefined) return;
      yard = await openChaosYard(make, join(shared, 'data'));
      const server = await yard.startServer(ENV);
      const worker = await yard.startWorker(ENV);
      await worker.printed(/computes runs of queue/, STEP_MS);
      const client = await yard.signIn(server);
      const before = await eventually(() => yard.request(client, 0));
      await yard.untilEnded();
      expect(await yard.stores.runs.get(before)).toMatchObject({ state: 'success', error: null });
      fill(shared, 8192);
      const ids = await Promise.all([1, 2, 7].map((choice) => yard.request(client, choice)));
      console.log(`accepted while the disk is full: ${ids.filter((id) => id !== undefined).length} of ${ids.length}`);
      await yard.untilEnded();
      for (const id of ids) {
        if (id === undefined) continue;
        const run = await yard.stores.runs.get(id);
        expect([run?.state, run?.error]).toEqual(['failed', expect.objectContaining({ code: 'storage_full' })]);
      }
      free(shared);
      const after = await eventually(() => yard.request(client, 1));
      await yard.untilEnded();
      expect((await yard.stores.runs.get(after))?.state).toBe('success');
      expect([server.hasEnded(), worker.hasEnded()]).toEqual([false, false]);
      await expectNothingLost(yard, client, ids);
    },
    3 * STEP_MS,
  );
});

describe.skipIf(own === undefined)('a full disk of the embedded database', () => {
  it(
    'loses no stored data; after space is freed, the service works, also after a restart',
    async () => {
      const dataDir = join(own ?? '', 'data');
      const start = (): Promise<ServerProcess> =>
        startServerProcess({
          dataDir,
          env: { SUPERUSER_PASSWORD: PASSWORD, MAPSERVER_PORT: '0' },
          args: ['--no-sample'],
        });
      const server = await start();
      const [, name = ''] = await server.printed(/superuser {8}(\S+)\n/, STEP_MS);
      const client = await signIn(server.baseUrl, name, PASSWORD);
      const create = async (at: number): Promise<number> => {
        const account = {
          username: `asha_${at}`,
          password: PASSWORD,
          password_confirm: PASSWORD,
          email: `a${at}@example.org`,
          first_name: 'A',
          last_name: 'B',
        };
        const answer = await client.post('/api/v1/auth/register/', account).catch(() => undefined);
        return answer?.status ?? 0;
      };
      const stored: number[] = [];
      const statuses = new Set<number>();
      const step = async (at: number): Promise<void> => {
        const status = await create(at);
        statuses.add(status);
        if (status === 201) stored.push(at);
      };
      await step(0);
      expect(stored).toEqual([0]);
      fill(own ?? '', 0);
      for (let at = 1; at <= 40; at += 1) await step(at);
      console.log(`statuses while the disk is full: ${[...statuses].join(', ')}; ended: ${server.hasEnded()}`);
      free(own ?? '');
      const running = server.hasEnded() ? await start() : server;
      await eventually(async () => ((await fetch(`${running.baseUrl}/api/health`)).status === 200 ? true : undefined));
      const later = clientAt(running, client);
      expect((await later.post('/api/v1/auth/login/', { username: name, password: PASSWORD })).status).toBe(200);
      await running.stop('SIGKILL');
      const next = await start();
      for (const at of stored)
        expect(
          (await clientAt(next, client).post('/api/v1/auth/login/', { username: `asha_${at}`, password: PASSWORD }))
            .status,
          `${at}`,
        ).toBe(200);
      expect((await next.stop('SIGTERM')).code).toBe(0);
    },
    3 * STEP_MS,
  );
});

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const hasFaketime = existsSync(LIBRARY);
if (!hasFaketime) console.log("skipped: a clock that jumps: Debian's libfaketime is not installed");

describe.skipIf(make === undefined || !hasFaketime)('a clock that jumps an hour forwards, and back', () => {
  let yard: ChaosYard;
  const folder = mkdtempSync(join(tmpdir(), 'headwater-clock-'));
  const file = join(folder, 'clock');
  const clock = {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // Only the wall clock jumps, because the monotonic clock of a real machine does not jump.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  };
  const jump = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  beforeAll(async () => {
    if (make === undefined || !hasFaketime) return;
    chmodSync(folder, 0o755);
    jump(0);
    yard = await openChaosYard(() => make(clock));
  });
  afterAll(async () => {
    await yard?.close();
    rmSync(folder, { recursive: true });
  });

  it(
    'loses no run, publishes none twice, and keeps users signed in',
    async () => {
      const env = { ...ENV, ...clock };
      const server = await yard.startServer(env);
      const workers = [await yard.startWorker(env), await yard.startWorker(env)];
      for (const worker of workers) await worker.printed(/computes runs of queue/, STEP_MS);
      const early = await yard.signIn(server);
      let turn = 0;
      const busy = async (client: Client): Promise<void> => {
        await eventually(async () => {
          await yard.request(client, turn++ % REQUESTS);
          return (await yard.open()).some(({ state }) => state === 'running') ? true : undefined;
        });
      };
      const at = async (): Promise<number> =>
        Date.parse((await yard.stores.runs.list({ limit: 1, offset: 0 })).runs[0]?.createdAt ?? '');
      await busy(early);
      const from = await at();
      for (const seconds of [HOUR, 0, HOUR, 0]) {
        jump(seconds);
        const late = await yard.signIn(server);
        await busy(late);
        expect(Math.abs((await at()) - from - seconds * 1000)).toBeLessThan(600_000);
        await pause(500);
        for (const client of [early, late]) expect((await client.get('/api/v1/runs/')).status).toBe(200);
        jump(seconds === 0 ? HOUR : 0);
        for (const client of [early, late]) expect((await client.get('/api/v1/runs/')).status).toBe(200);
        await busy(late);
      }
      jump(0);
      console.log(`all runs had ended ${(await yard.untilEnded()).toFixed(1)} s after the last jump`);
      expect([server, ...workers].map((each) => each.hasEnded())).toEqual([false, false, false]);
      const runs = await expectNothingLost(yard, early);
      console.log(`${runs.length} runs, ${runs.filter(({ attempt }) => attempt > 1).length} in more than one attempt`);
    },
    3 * STEP_MS,
  );
});

const clientAt = ({ baseUrl }: ServerProcess, { token }: Client): Client => clientOf(baseUrl, token);
