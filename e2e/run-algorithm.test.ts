import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isObject } from '@headwater/core/values';
import { parseMarkers, RESULT_END, RESULT_START } from '@headwater/orchestrator-client';
import { writePlace } from '@headwater/ingest';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { HEADWATER, missingPython, python, SHIM } from '../packages/server/src/algorithms/python.fixture.ts';
import { smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';
import { type Client, signIn } from './client.ts';
import { freePort, type ServerProcess, spawnServer, startServerProcess } from './server-process.ts';

const PASSWORD = 'tall-river-42';
const PLACE = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Jalsrota', eo_account_id: 1 };
const YEAR = { ...PLACE, start_year: 2022, end_year: 2022 };
const REGION = [77.981, 17.501, 77.984, 17.504];
const DAY_MS = 86_400_000;
/** Scenes from May 2021 to July 2024, which cover the hydrological years 2021 to 2023. */
const SCENES = Array.from({ length: 75 }, (_, index) => ({
  date: new Date(Date.UTC(2021, 4, 1) + 16 * index * DAY_MS).toISOString().slice(0, 10),
  crs: 'EPSG:32643',
}));
/** Job id and token that belong to no run. */
const STALE = { job_id: '0190a000-0000-7000-8000-00000000dead', run_token: 'f'.repeat(64) };
const OPERATOR = '--as-superuser';
const START_MS = 240_000;
/** No server listens at this URL. */
const NO_SERVER = 'http://127.0.0.1:9';

const flags = (members: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(members).flatMap(([name, value]) => [`--${name}`, String(value)]);

async function printed(started: Promise<ChildProcess>, input = '') {
  const child = await started;
  child.stdin?.end(input);
  assert(child.stdout !== null && child.stderr !== null);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const marked = await parseMarkers([stdout]);
  const value = marked.kind === 'result' && isObject(marked.value) ? marked.value : {};
  return { code: child.exitCode, stdout, stderr, value, last: stderr.trim().split('\n').at(-1) ?? '' };
}

describe('headwater run-algorithm', () => {
  let dataDir: string;
  let server: ServerProcess;
  let client: Client;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-algorithm-'));
    await writePlace(join(dataDir, 'places', 'jalsrota'), smallPlace('Jalsrota'));
    await writeScenes(dataDir, SCENES);
    const own = { SUPERUSER_PASSWORD: PASSWORD, HEADWATER_THREADS: '1' };
    server = await startServerProcess({ dataDir, env: own, args: ['--no-sample'] });
    env = { PUBLIC_BASE_URL: server.baseUrl, HEADWATER_THREADS: '1' };
    await server.printed(/\n {2}Open /, START_MS);
    const [, user = ''] = /superuser {8}(test_user_\d{4})\n/.exec(server.output()) ?? [];
    client = await signIn(server.baseUrl, user, PASSWORD);
  }, START_MS);
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  const spawned = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<ChildProcess> =>
    spawnServer({ dataDir, env: { ...env, ...more }, args: ['run-algorithm', ...args] }, 1);

  it('publishes while a service runs, and prints exactly one result block', async () => {
    const years = { start_year: 2022, end_year: 2023, execution_id: 'e1' };
    const { code, stdout, value } = await printed(
      spawned(['lulc_for_tehsil', OPERATOR, ...flags({ ...PLACE, ...years })]),
    );
    expect(code).toBe(0);
    expect(stdout.startsWith(`${RESULT_START}\n`)).toBe(true);
    expect(stdout.endsWith(`\n${RESULT_END}\n`)).toBe(true);
    expect(stdout.split('\n')).toHaveLength(4);
    const name = 'virtapradesh_nirmalgarh_jalsrota_land_use_land_cover';
    expect(value).toMatchObject({
      status: 'success',
      asset_ids: [`${name}_raster_2023`, `${name}_raster_2022`, `${name}_vector`],
      stac_spec: { id: `${name}_raster_2023` },
      hosting_platform: 'headwater',
      execution_id: 'e1',
      execution_time: expect.any(Number),
      version: expect.any(String),
      reused: false,
    });
    const { body } = await client.get<{ state: string }>(`/api/v1/runs/${String(value['run_id'])}/`);
    expect(body.state).toBe('success');
    const [item] = Array.isArray(value['stac_items']) ? value['stac_items'] : [];
    expect(value).toMatchObject(item);
    expect(value).toMatchObject({ type: 'Feature', stac_spec: item });
    const served = await fetch(item.assets.data.href, { method: 'HEAD' });
    expect(served.status).toBe(200);
  }, 120_000);

  it('reuses the stored result for a repeated call, and reads its parameters from standard input', async () => {
    const sent = JSON.stringify({ ...PLACE, start_year: '2022', end_year: 2023, overwrite: null });
    const args = ['lulc_for_tehsil', '--parameters', '-', OPERATOR, '--nonsense', '1'];
    const { value, stderr } = await printed(spawned(args), sent);
    expect(value).toMatchObject({ status: 'success', reused: true });
    expect(stderr).toContain('lulc_for_tehsil has no parameter "nonsense": ignored');
  });

  it('ignores as-superuser in the parameters, because it must be a command-line option', async () => {
    const sent = JSON.stringify({ ...YEAR, 'as-superuser': true, as_superuser: true, overwrite: true });
    const { code, last } = await printed(spawned(['lulc_for_tehsil', '--parameters', '-']), sent);
    expect([code, last]).toEqual([1, expect.stringMatching(/RequestRefusedError: lulc_for_tehsil of a tehsil needs/)]);
  });

  it('computes a region', async () => {
    const { value, stderr } = await printed(spawned(['lulc_for_tehsil', '--region', REGION.join(',')]));
    expect(stderr).toMatch(/No year was sent, so 2023 is used/);
    expect(value).toMatchObject({
      type: 'Feature',
      status: 'success',
      asset_id: expect.stringMatching(/^regions_custom_region_[0-9a-f]{16}_land_use_land_cover_raster_2023$/),
    });
  }, 120_000);

  it.each([
    [['lulc_for_tehsil', '--state', 'x'], 1, /^headwater.RequestRefusedError: .*block: This field is required/],
    [['lulc_for_tehsil', OPERATOR, ...flags({ ...YEAR, block: 'Nowhere' })], 1, /Nowhere/],
    [['lulc_for_tehsil', ...flags(YEAR)], 1, /^headwater.RequestRefusedError: .*job_id and run_token.*--as-superuser/],
    [['lulc_for_tehsil', ...flags({ ...YEAR, 'as-superuser': true })], 2, /"true": is not a parameter/],
    [['lulc_for_tehsil', OPERATOR, ...flags({ ...YEAR, ...STALE })], 1, /do not belong to an open run of this service/],
    [['lulc_for_tehsil', OPERATOR, ...flags({ ...YEAR, job_id: STALE.job_id })], 1, /do not belong to an open run/],
    [['lulc_vector', '--region', '1,2,3,4', '--year', '2022'], 1, /lulc_vector computes no regions/],
    [['lulc_for_tehsil', '--region', '1,2,3', '--year', '2022'], 1, /RequestRefusedError: region/],
    [['nothing'], 2, /^headwater.UsageError: NAME: unknown algorithm "nothing"; the algorithms are lulc_for_tehsil,/],
    [['lulc_for_tehsil', '--state'], 2, /^headwater.UsageError: --state: has no value/],
    [['lulc_for_tehsil', '--state', 'a', '--state', 'b'], 2, /--state: occurs twice/],
    [['lulc_for_tehsil', '--parameters', '/nowhere'], 2, /--parameters: \/nowhere cannot be read/],
    [['lulc_for_tehsil', '--post', NO_SERVER], 2, /--job_id: missing|is the folder of a service/],
    [[], 2, /NAME: missing/],
  ])('%j exits with %d and gives the reason in its last line', async (args, code, reason) => {
    const ended = await printed(spawned(args));
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.last).toMatch(reason);
  });

  it.each([{ eo_account_id: 99 }, { eo_account_id: null }])(
    'lists the accounts only for the operator, with %j',
    async (change) => {
      const sent = JSON.stringify({ ...YEAR, ...change });
      const by = (...operator: readonly string[]) =>
        printed(spawned(['lulc_for_tehsil', '--parameters', '-', ...operator]), sent);
      const { code, stderr, last } = await by(OPERATOR);
      expect([code, last]).toEqual([1, expect.stringContaining('eo_account_id: ')]);
      expect(stderr).toMatch(/^eo_account_id: send the id of one of these accounts: 1 \(.+\)$/m);
      expect((await by()).stderr).not.toContain('one of these accounts');
    },
  );

  it.each([[['--list']], [['--list', '--json']]])(
    '%j prints a block for programs if there is no terminal',
    async (args) => {
      const { code, value, stderr } = await printed(spawned(args));
      expect([code, stderr]).toEqual([0, '']);
      expect(value['algorithms']).toContainEqual(
        expect.objectContaining({ name: 'lulc_for_tehsil', parameters: expect.arrayContaining([]) }),
      );
    },
  );

  it('cancels the run on SIGTERM', async () => {
    const args = flags({ ...PLACE, start_year: 2021, end_year: 2023, overwrite: true });
    const started = spawned(['lulc_for_tehsil', OPERATOR, ...args]);
    const child = await started;
    let run = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      run ||= /run (\S+) begins/.exec(String(chunk))?.[1] ?? '';
      if (run !== '') child.kill('SIGTERM');
    });
    const ended = await printed(started);
    expect(ended).toMatchObject({ code: 143, stdout: '' });
    expect(ended.last).toMatch(/^headwater.UnexpectedError: stopped by SIGTERM; the run is cancelled/);
    const state = async (): Promise<unknown> =>
      (await client.get<{ state: string; error: { code: string } }>(`/api/v1/runs/${run}/`)).body;
    await expect.poll(state).toMatchObject({ state: 'failed' });
  }, 120_000);

  it.skipIf(missingPython() !== undefined)(
    'runs through the Python shim',
    async () => {
      const PARAMETERS = JSON.stringify({ region: REGION, year: 2022 });
      const shim = { ...env, DATA_DIR: dataDir, HEADWATER_COMMAND: HEADWATER, PARAMETERS };
      const ended = await python([SHIM, 'lulc_for_tehsil', '--parameters-env', 'PARAMETERS'], shim);
      expect(ended.code, ended.stderr).toBe(0);
      expect(JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ status: 'success' });
    },
    120_000,
  );

  it('posts the result to the service if no database is mounted', async () => {
    const posted: unknown[] = [];
    const service = createServer((request, response) => {
      const answer = (body: string): unknown => {
        posted.push({ path: request.url, body: JSON.parse(body) });
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      };
      void text(request).then(answer);
    });
    service.listen(await freePort(), '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    assert(address !== null && typeof address === 'object');
    const own = await mkdtemp(join(tmpdir(), 'headwater-own-'));
    const job = ['--job_id', 'job 1', '--region', REGION.join(','), '--year', '2022'];
    const args = ['lulc_for_tehsil', ...job, '--post', `http://127.0.0.1:${address.port}`];
    try {
      const ended = await printed(spawned(args, { DATA_DIR: own }));
      expect(ended.code).toBe(1);
      expect(posted).toEqual([
        { path: '/api/jobs/job%201/result', body: { ok: false, error: expect.stringMatching(/scene/i) } },
      ]);
      expect(ended.last).toMatch(/^headwater\.\w+Error: .*scene/i);
    } finally {
      service.close();
      await rm(own, { recursive: true, force: true });
    }
  }, 120_000);
});
