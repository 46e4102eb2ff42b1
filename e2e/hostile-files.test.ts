import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePlace } from '@headwater/ingest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, signIn, type Client } from './client.ts';
import { hostileFiles, writeHostileCatalogue } from './hostile-files.fixture.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { sceneId, scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';
import { HEALTH_BAR_MS, watching, type Vitals } from './watch-health.fixture.ts';

const YEAR = 2021;
const SCENES = scenesAround(YEAR);
/** Allowed memory in addition to the memory of a run with valid scenes, bytes. */
const MORE_BYTES = 300 * 1024 * 1024;
/** Allowed additional memory for a file of places, bytes. Such a file may have five million positions. */
const MORE_BYTES_PLACES = 900 * 1024 * 1024;
const REQUEST = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Jalsrota', start_year: YEAR, end_year: YEAR };
const ENV = { HEADWATER_SAMPLE: 'off', SUPERUSER_PASSWORD: 'tall-river-42' };

let base: string;
let dataDir: string;
let good: string;
let server: ServerProcess;
let client: Client;
let usualBytes = 0;

interface RunBody {
  readonly run_id: string;
  readonly status: string;
  readonly state: string;
  readonly attempt: number;
  readonly code?: string;
  readonly detail?: string;
  readonly error?: { readonly code: string };
  readonly progress: number;
  readonly stac_spec?: { readonly properties: Readonly<Record<string, unknown>> };
}

const eo = (): string => join(dataDir, 'eo');
const key = (): string => join(dataDir, 'secrets', 'jwt.key');
const sceneFolder = (index: number): string => join(eo(), 'small', sceneId(SCENES[index] ?? { date: '', crs: '' }));

async function start(): Promise<void> {
  server = await startServerProcess({ dataDir, env: ENV });
  const [, user = ''] = await server.printed(/superuser {8}(test_user_\d{4})/, 60_000);
  client = clientOf(
    server.baseUrl,
    client?.token ?? (await signIn(server.baseUrl, user, ENV.SUPERUSER_PASSWORD)).token,
  );
}

async function useGoodScenes(): Promise<void> {
  await rm(eo(), { recursive: true, force: true });
  await cp(join(good, 'eo'), eo(), { recursive: true });
}

async function compute(change: Readonly<Record<string, unknown>> = {}): Promise<RunBody> {
  const body = { ...REQUEST, eo_account_id: 1, overwrite: true, wait: true, ...change };
  return (await client.post<RunBody>('/api/v1/lulc_for_tehsil/', body)).body;
}

async function logOf(runId: string): Promise<string> {
  const headers = { authorization: `Bearer ${client.token}` };
  return (await fetch(`${server.baseUrl}/api/v1/runs/${runId}/log/?limit=1000`, { headers })).text();
}

function isWell({ slowestMs, failures, peakBytes }: Vitals, moreBytes = MORE_BYTES): void {
  console.log(
    `health within ${slowestMs.toFixed(0)} ms (bar ${HEALTH_BAR_MS} ms), at most ${(peakBytes / 1e6).toFixed(0)} MB`,
  );
  expect(failures).toEqual([]);
  expect(slowestMs).toBeLessThan(HEALTH_BAR_MS);
  if (usualBytes > 0) expect(peakBytes).toBeLessThan(usualBytes + moreBytes);
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'headwater-hostile-'));
  [dataDir, good] = [join(base, 'data'), join(base, 'good')];
  await writeScenes(good, SCENES);
  await writePlace(join(dataDir, 'places', 'jalsrota'), smallPlace('Jalsrota'));
  await useGoodScenes();
  await start();
}, 240_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(base, { recursive: true, force: true });
});

describe('hostile files on the listening server', () => {
  it('first, for comparison, a run with valid scenes succeeds, and its memory is measured', async () => {
    const vitals = await watching(server, async () => {
      expect(await compute()).toMatchObject({ status: 'success' });
    });
    isWell(vitals);
    usualBytes = vitals.peakBytes;
  });

  it('among valid files: the run skips each hostile scene with the reason and publishes the rest', async () => {
    const files = hostileFiles(key());
    for (const [i, { spoil }] of files.entries()) spoil(sceneFolder(2 + 3 * i));
    const left = writeHostileCatalogue(join(eo(), 'hostile'), key());
    let answer: RunBody | undefined;
    isWell(await watching(server, async () => void (answer = await compute())));
    expect(answer?.status, JSON.stringify(answer)).toBe('success');
    const { properties } = answer?.stac_spec ?? { properties: {} };
    const log = await logOf(answer?.run_id ?? '');
    for (const [i, { name, reason }] of files.entries())
      expect(properties['headwater:skipped_scenes'], name).toMatchObject({
        [sceneId(SCENES[2 + 3 * i] ?? { date: '', crs: '' })]: expect.stringMatching(reason),
      });
    for (const reason of left) expect(log).toMatch(reason);
    expect(JSON.stringify(answer)).not.toContain(base);
  });

  it.each(hostileFiles('').map(({ name }, index) => ({ name, index })))(
    'in all scenes: the run fails and names the cause ($name)',
    async ({ index }) => {
      await rm(eo(), { recursive: true, force: true });
      // Indexes of six scenes, because a run with fewer scenes fails before it opens a file.
      const all = [10, 14, 18, 22, 26, 30];
      await writeScenes(
        dataDir,
        all.flatMap((each) => SCENES[each] ?? []),
      );
      const hostile = hostileFiles(key())[index];
      for (const each of all) hostile?.spoil(sceneFolder(each));
      let answer: RunBody | undefined;
      isWell(await watching(server, async () => void (answer = await compute())));
      expect(answer).toMatchObject({ status: 'failed', detail: expect.stringMatching(hostile?.reason ?? /./) });
      expect(answer?.detail).toMatch(/S2_43_\d{8}/);
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    'of a scene with the id %s: the run accepts the scene, and skips it if it is broken',
    async (id) => {
      await useGoodScenes();
      const item = join(sceneFolder(10), 'item.json');
      execFileSync('sed', ['-i', `s/"id": *"S2_[^"]*"/"id":"${id}"/`, item]);
      const whole = await compute();
      expect(whole).toMatchObject({ status: 'success' });
      expect(whole.stac_spec?.properties).toMatchObject({ 'headwater:scene_count': SCENES.length });
      await rm(join(sceneFolder(10), 'B04.tif'));
      const { stac_spec: spec } = await compute();
      const skipped = Object.entries(spec?.properties['headwater:skipped_scenes'] ?? {});
      expect(skipped).toEqual([[id, expect.stringMatching(/B04\.tif: the file does not exist/)]]);
    },
  );

  it('of places: the server reports the invalid files and continues to run', async () => {
    const places = join(dataDir, 'places');
    const vitals = await watching(server, async () => {
      execFileSync('mkfifo', [join(places, 'a-pipe.geojson')]);
      await symlink('/dev/zero', join(places, 'b-zero.geojson'));
      await symlink(key(), join(places, 'c-key.geojson'));
      await writeFile(
        join(places, 'd-wide.geojson'),
        `{"type":"FeatureCollection","features":[${'[],'.repeat(7e6)}1]}`,
      );
      await mkdir(join(places, 'e.geojson'));
      for (const name of ['a-pipe', 'b-zero', 'c-key', 'd-wide'])
        await server.printed(new RegExp(`${name}\\.geojson.*a places file was skipped`), 120_000);
    });
    isWell(vitals, MORE_BYTES_PLACES);
    for (const name of ['a-pipe', 'b-zero', 'c-key', 'd-wide', 'e'])
      await rm(join(places, `${name}.geojson`), { recursive: true });
  }, 180_000);
});

describe('a run whose server is killed in each attempt', () => {
  it('fails after three attempts and is not claimed again', async () => {
    await rm(eo(), { recursive: true, force: true });
    await writeScenes(dataDir, [...scenesAround(YEAR - 1), ...SCENES]);
    const { run_id: id } = await compute({ start_year: YEAR - 1, wait: false });
    const run = async (): Promise<RunBody> => (await client.get<RunBody>(`/api/v1/runs/${id}/`)).body;
    for (const attempt of [1, 2, 3]) {
      if (attempt > 1) server = await startServerProcess({ dataDir, env: ENV });
      await server.printed(new RegExp(`${id}.*"attempt":${attempt}.*attempt begins`), 30_000);
      await server.stop('SIGKILL');
    }
    await start();
    await expect.poll(async () => (await run()).state, { timeout: 30_000, interval: 50 }).toBe('failed');
    expect(await run()).toMatchObject({ attempt: 3, error: { code: 'crashed_repeatedly' } });
    // Folders of the running server are ignored, because its health check may be using one.
    const scratch = await readdir(join(dataDir, 'scratch')).catch(() => []);
    expect(scratch.filter((name) => !name.includes(`-${server.pid}-`))).toEqual([]);
  }, 240_000);
});
