import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn, type Client } from './client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

interface Health {
  readonly status: string;
  readonly parts: Readonly<Record<string, { readonly state: string; readonly detail?: string }>>;
}

const PASSWORD = 'tall-river-42';
const GB = 1e9;
/** A module that, on SIGUSR2, rejects a promise without handler in the server's main thread. */
const PROVOKED = `data:text/javascript,${encodeURIComponent(
  "process.on('SIGUSR2', () => void Promise.reject(new Error('provoked by a test')))",
)}`;

describe('health of the listening server', { timeout: 400_000 }, () => {
  let dir: string;
  let api: Server;
  let server: ServerProcess;
  let operator: Client;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'headwater-health-'));
    api = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const { bavail, bsize } = await statfs(dir);
    server = await startServerProcess({
      dataDir: join(dir, 'data'),
      args: ['--no-sample'],
      env: {
        SUPERUSER_PASSWORD: PASSWORD,
        NODE_OPTIONS: `--import=${PROVOKED}`,
        EO_STAC_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}/`,
        FREE_DISK_WARN_MB: '0',
        // The limit is 4 GB below the present free space. A file of 8 GB reduces the free space below the limit.
        FREE_DISK_FAIL_MB: String(Math.max(0, Math.floor((bavail * bsize - 4 * GB) / 1e6))),
      },
    });
    const [, name = ''] = await server.printed(/(test_user_\d{4})/, 60_000);
    operator = await signIn(server.baseUrl, name, PASSWORD);
  }, 120_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    api.closeAllConnections();
    api.close();
    await rm(dir, { recursive: true, force: true });
  });

  const timedGet = async (
    path: string,
  ): Promise<{ readonly status: number; readonly text: string; readonly ms: number }> => {
    const from = performance.now();
    const answer = await fetch(server.baseUrl + path);
    return { status: answer.status, text: await answer.text(), ms: performance.now() - from };
  };
  const health = async (): Promise<{ readonly status: number; readonly text: string; readonly body: Health }> => {
    // The second request needs no database; its duration shows how busy the machine is.
    const [{ status, text, ms }, control] = await Promise.all([timedGet('/api/health'), timedGet('/api/v1/nothing/')]);
    expect(ms).toBeLessThan(1000 + 2 * control.ms);
    return { status, text, body: JSON.parse(text) as Health };
  };
  const becomes = async (part: string, state: string): Promise<number> => {
    const until = performance.now() + 60_000;
    for (;;) {
      const { status, body } = await health();
      if (body.parts[part]?.state === state) return status;
      if (performance.now() > until) throw new Error(`${part} is ${JSON.stringify(body.parts[part])}, not ${state}`);
      await pause(50);
    }
  };

  it('has the state ok for every part; anonymous clients see only states', async () => {
    for (const part of ['database', 'worker', 'pixels', 'scenes', 'disk', 'files'])
      expect([part, await becomes(part, 'ok')]).toEqual([part, 200]);
    const { text, body } = await health();
    expect(body.status).toBe('ok');
    expect(text).not.toMatch(/postgis|postgres|pglite|embedded|127\.0\.0\.1|detail/i);
  });

  it('shows versions, folders and numbers to the superuser', async () => {
    const { parts } = (await operator.get<Health>('/api/health')).body;
    expect(parts['database']?.detail).toMatch(/^embedded, .*PostGIS/);
    expect(parts['pixels']?.detail).toMatch(/worker threads start and decode/);
    expect(parts['disk']?.detail).toMatch(/GB free/);
    expect(parts['scenes']?.detail).toMatch(/which responds/);
    expect(parts['files']?.detail).toContain(dir);
    expect(parts['worker']?.detail).toMatch(/^idle; the queue of runs answered last at 20/);
  });

  it('has status 503 while the folder of published files is not writable', async () => {
    const assets = join(dir, 'data', 'assets');
    await rename(assets, `${assets}.aside`);
    await writeFile(assets, 'a file where a folder should be');
    expect(await becomes('files', 'failing')).toBe(503);
    await rm(assets);
    await rename(`${assets}.aside`, assets);
    expect(await becomes('files', 'ok')).toBe(200);
  });

  it('has status 503 while the disk is full', async ({ skip }) => {
    const file = join(dir, 'large');
    const allocated = spawnSync('fallocate', ['-l', String(8 * GB), file]);
    if (allocated.status !== 0)
      console.log(`skipped: a full disk: fallocate failed (${String(allocated.stderr).trim()})`);
    skip(allocated.status !== 0);
    expect(await becomes('disk', 'failing')).toBe(503);
    await rm(file);
    expect(await becomes('disk', 'ok')).toBe(200);
  });

  it('an unhandled rejection ends the server: the rejection is logged, and the process stops gracefully with exit code 1', async () => {
    expect((await server.stop('SIGUSR2')).code).toBe(1);
    expect(server.output()).toMatch(
      /unhandled promise rejection.*provoked by a test|provoked by a test.*unhandled promise rejection/,
    );
    expect(server.output()).toMatch(/stopping/);
    expect(server.output()).not.toMatch(/closing failed/);
    // A database that is closed gracefully removes its socket and the file `socket-folder`.
    expect(await readdir(join(dir, 'data', 'db'))).toEqual(expect.arrayContaining(['pgdata']));
    expect(await readdir(join(dir, 'data', 'db'))).not.toContain('socket-folder');
  });
});
