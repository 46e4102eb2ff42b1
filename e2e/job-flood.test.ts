import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crowding } from '../scripts/cpu-time.mjs';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const PASSWORD = 'tall-river-42';
const JOBS = 300;
const AT_ONCE = 30;
const LIMIT = 30;
const MB = 1_000_000;
/** Maximum durations of other requests during the flood on an idle machine, ms. */
const LONGEST = { health: 1000, signIn: 2000 } as const;
/** Random letters and digits, which the database cannot compress. */
const NOTE = Array.from({ length: 220_000 }, () => Math.random().toString(36).slice(2))
  .join('')
  .slice(0, 2 * MB);
/** Encoded once, because encoding would delay the measured requests. */
const RESULT = new TextEncoder().encode(JSON.stringify({ ok: false, error: NOTE }));

/** The workflow runs of this orchestrator do not end: with `isManual`, only a test case can end them, and none does. */
const fake = new FakeOrchestrator({
  dags: [{ id: 'headwater', isManual: true, tasks: [{ id: 'execute', run: () => null }] }],
});
let close: (() => Promise<void>) | undefined;
let dataDir = '';
let server: ServerProcess;
let username = '';

beforeAll(async () => {
  const listening = await fake.listen();
  ({ close } = listening);
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-flood-'));
  server = await startServerProcess({
    dataDir,
    env: {
      SUPERUSER_PASSWORD: PASSWORD,
      ORCHESTRATOR_API_BASE: `${listening.url}/api/v1`,
      ORCHESTRATOR_DAG_ID: 'headwater',
      ORCHESTRATOR_USERNAME: 'admin',
      ORCHESTRATOR_PASSWORD: 'admin',
    },
    args: ['--no-sample'],
  });
  [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
}, 240_000);
afterAll(async () => {
  await server.stop('SIGTERM');
  await close?.();
  await rm(dataDir, { recursive: true, force: true });
});

function databaseBytes(): number {
  const folder = join(dataDir, 'db');
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

const postText = async (path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  await fetch(server.baseUrl + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const post = async (path: string, body: unknown): Promise<Response> => await postText(path, JSON.stringify(body));

async function startAndPost(at: number): Promise<readonly number[]> {
  const region = [85, 24, 85.02, 24.02 + at / 100_000];
  const started = await post('/api/jobs', { op: 'export', params: { region, year: 2021 } });
  const { run_id: id = 'none' } = (await started.json()) as { readonly run_id?: string };
  const posted = await postText(`/api/jobs/${id}/result`, RESULT);
  await posted.arrayBuffer();
  return [started.status, posted.status];
}

async function othersUntil(isOver: () => boolean): Promise<Record<keyof typeof LONGEST, number>> {
  const longest = { health: 0, signIn: 0 };
  const measured = async (what: keyof typeof LONGEST, request: () => Promise<Response>): Promise<void> => {
    const from = performance.now();
    const response = await request();
    await response.arrayBuffer();
    expect([what, response.status]).toEqual([what, 200]);
    longest[what] = Math.max(longest[what], performance.now() - from);
  };
  while (!isOver()) {
    await measured('health', () => fetch(`${server.baseUrl}/api/health`));
    await measured('signIn', () => post('/api/v1/auth/login/', { username, password: PASSWORD }));
  }
  return longest;
}

it(`of ${JOBS} jobs that a caller starts, ${LIMIT} are accepted; the database stays small, and other requests are served in time`, async () => {
  const before = databaseBytes();
  let isOver = false;
  let next = 0;
  const statuses: (readonly number[])[] = [];
  const flood = Array.from({ length: AT_ONCE }, async () => {
    while (next < JOBS) statuses.push(await startAndPost(next++));
  });
  const others = othersUntil(() => isOver);
  await Promise.all(flood);
  isOver = true;
  const longest = await others;
  expect(statuses.map(([started]) => started).filter((status) => status === 202)).toHaveLength(LIMIT);
  expect(new Set(statuses.map(([started]) => started))).toEqual(new Set([202, 429]));
  expect(new Set(statuses.map(([, posted]) => posted))).toEqual(new Set([404]));
  expect(fake.runsOf('headwater')).toHaveLength(LIMIT);
  expect(databaseBytes() - before).toBeLessThan(20 * MB);
  const busy = crowding();
  console.log(`longest health ${longest.health} ms, sign-in ${longest.signIn} ms; crowding ${busy}`);
  expect(longest.health).toBeLessThan(LONGEST.health * busy);
  expect(longest.signIn).toBeLessThan(LONGEST.signIn * busy);
}, 240_000);
