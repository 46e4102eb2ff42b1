import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { type Client, clientOf, signIn } from './client.ts';
import { requestLandCover, type RunBody, runsOfLandCover, runWhen } from './server-pair.fixture.ts';
import { runCommand, type ServerProcess, startServerProcess } from './server-process.ts';

const TIMEOUT_MS = 300_000;
const FIRST_YEAR = 2021;
const PASSWORD = 'tall-river-42';
const BACKUPS = 3;

let root: string;
let dataDir: string;
let server: ServerProcess;
let client: Client;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-backup-'));
  dataDir = join(root, 'data');
  server = await startServerProcess({ dataDir, env: { SUPERUSER_PASSWORD: PASSWORD } });
  const [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})/, TIMEOUT_MS);
  await server.printed(/Open http/, TIMEOUT_MS);
  client = await signIn(server.baseUrl, username, PASSWORD);
}, TIMEOUT_MS);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

/** Returns id and version of each land cover Item, and compares each file of the Items with its checksum. */
async function readItems(of: Client): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { run_id: id } of await runsOfLandCover(of)) {
    const { body } = await of.get<RunBody & { stac_items: readonly StoredItem[] }>(`/api/v1/runs/${id}/`);
    for (const item of body.stac_items) {
      found.push(`${item.id} ${String(item.properties['version'])}`);
      for (const asset of Object.values(item.assets)) {
        const checksum = asset['file:checksum'];
        if (checksum === undefined) continue;
        const answer = await fetch(new URL(new URL(asset.href).pathname, of.baseUrl));
        expect(answer.status).toBe(200);
        const digest = createHash('sha256')
          .update(Buffer.from(await answer.arrayBuffer()))
          .digest('hex');
        expect(checksum).toBe(`1220${digest}`);
      }
    }
  }
  return found.toSorted();
}

interface StoredItem {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href: string; readonly 'file:checksum'?: string }>>;
}

it(
  'backups made while the service computes are valid; a later one is restored elsewhere, and users stay signed in there',
  async () => {
    const target = join(root, 'backups');
    const statesAfter: string[] = [];
    for (let i = 0; i < BACKUPS; i += 1) {
      // Only the last run computes all years. The request at the end of this test is equal to the request of the
      // last run, and reuses its result.
      const run = await requestLandCover(client, i === BACKUPS - 1 ? FIRST_YEAR : SAMPLE_YEARS[2]);
      await runWhen(client, run, ({ progress, state }) => progress > 0 || state === 'failed');
      const began = performance.now();
      const [made, health] = await Promise.all([
        runCommand({ dataDir, args: ['backup', target] }),
        client.get('/api/health'),
      ]);
      console.log(`backup ${i + 1}: ${(performance.now() - began).toFixed(0)} ms\n${made.output}`);
      statesAfter.push((await runWhen(client, run, () => true)).state);
      expect([made.code, health.status]).toEqual([0, 200]);
      expect(await runCommand({ dataDir, args: ['backup', '--verify', target] })).toMatchObject({ code: 0 });
      expect(await runWhen(client, run, ({ state }) => state === 'success' || state === 'failed')).toMatchObject({
        state: 'success',
      });
    }
    // The last run takes longer than a backup, so this run continued after the backup.
    expect(statesAfter).toContain('running');
    expect((await readdir(target)).filter((name) => name.startsWith('headwater-'))).toHaveLength(BACKUPS);
    const before = await readItems(client);
    const last = await runCommand({ dataDir, args: ['backup', target] });
    expect(last.code).toBe(0);
    const restored = join(root, 'restored');
    const done = await runCommand({ dataDir: restored, args: ['restore', target] });
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining('all are verified') });
    const other = await startServerProcess({ dataDir: restored });
    try {
      const copy = clientOf(other.baseUrl, client.token);
      expect(await readItems(copy)).toEqual(before);
      // Equal scenes in another folder are equal inputs, so the stored result is reused.
      const { state, district, tehsil: block } = SAMPLE_PLACE;
      const body = { state, district, block, start_year: FIRST_YEAR, end_year: SAMPLE_YEARS[2], eo_account_id: 1 };
      const equal = await copy.post<{ reused: boolean }>('/api/v1/lulc_for_tehsil/', body);
      expect([equal.status, equal.body.reused]).toEqual([200, true]);
    } finally {
      await other.stop('SIGTERM');
    }
  },
  TIMEOUT_MS,
);
