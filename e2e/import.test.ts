import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boxPolygon } from '../scripts/boxes.mjs';
import { signIn } from './client.ts';
import { runCommand, startServerProcess, type ServerProcess } from './server-process.ts';

const PASSWORD = 'tall-river-42';
let [folder, superuser]: [string, string] = ['', ''];
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-import-'));
  server = await startServerProcess({
    dataDir: join(folder, 'data'),
    env: { SUPERUSER_PASSWORD: PASSWORD, IMPORT_MAX_MB: '1' },
    args: ['--no-sample'],
  });
  [, superuser = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
}, 120_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const feature = (properties: object, west = 78): object => ({
  type: 'Feature',
  properties,
  geometry: boxPolygon({ west, south: 17, east: west + 1, north: 18 }),
});
const collection = (...features: object[]): string => JSON.stringify({ type: 'FeatureCollection', features });

async function put(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const run = (...args: string[]): ReturnType<typeof runCommand> =>
  runCommand({ dataDir: join(folder, 'data'), args: ['import', ...args] });

const states = async (): Promise<unknown> => await (await fetch(`${server.baseUrl}/api/v1/get_states/`)).json();

it('the command imports boundaries, which the running service serves immediately; output and report file list rejected features', async () => {
  const path = await put(
    'places.geojson',
    collection(feature(NAMES), feature({ ...NAMES, tehsil: 'CLAND' }), feature({ ...NAMES, tehsil: '=1+1' })),
  );
  const trial = await run('places', path, '--dry-run');
  expect([trial.code, trial.output]).toEqual([
    0,
    expect.stringMatching(/^places\.geojson: 1 would be stored, 0 unchanged, 2 refused/),
  ]);
  expect(await states()).toEqual({ states: [] });
  const report = join(folder, 'report.csv');
  const { code, output } = await run('places', path, '--report', report);
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      /^places\.geojson: 1 stored, 0 unchanged, 2 refused, 0 repaired\n {2}refused places\.geojson 2: tehsil: .*\n {2}refused places\.geojson 3: tehsil: .*\n$/,
    ),
  ]);
  expect(await readFile(report, 'utf8')).toMatch(
    /^file,what,source,row,field,problem\r\nplaces\.geojson,refused,places\.geojson,2,tehsil,/,
  );
  expect(await states()).toMatchObject({ states: [{ state_name: 'Aland' }] });
  expect((await run('places', path)).output).toContain('0 stored, 1 unchanged');
}, 120_000);

it('a broken file changes nothing and sets the exit code; the other files are stored', async () => {
  const broken = await put('broken.geojson', collection(feature({ uid: '12_1' })).slice(0, -5));
  const good = await put('good.geojson', collection(feature({ uid: '12_1' })));
  const place = ['--state', 'aland', '--district', 'bland', '--tehsil', 'cland'];
  const report = join(folder, 'report.json');
  const { code, output } = await run('mws', broken, good, ...place, '--report', report);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /^broken\.geojson: broken, and nothing of it was stored: .*ends in the middle.*\ngood\.geojson: 1 stored/,
    ),
  ]);
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject([
    { file_name: 'broken.geojson', problem: expect.stringContaining('ends in the middle') },
    { file_name: 'good.geojson', stored: 1 },
  ]);
}, 120_000);

it('a file without any valid feature sets the exit code 1', async () => {
  const path = await put('elsewhere.geojson', collection(feature({ ...NAMES, tehsil: 'Elsewhere', uid: '1' })));
  const { code, output } = await run('mws', path);
  expect([code, output]).toEqual([1, expect.stringContaining('import its boundary first')]);
}, 120_000);

it('the command writes its temporary files to DATA_DIR, not to TMPDIR', async () => {
  const path = await put('again.geojson', collection(feature({ ...NAMES, uid: '12_1' })));
  const [dataDir, noFolder] = [join(folder, 'data'), await put('no-folder', '')];
  const scratch = (): Promise<readonly string[]> => readdir(join(dataDir, 'scratch')).catch(() => []);
  const before = await scratch();
  const { code, output } = await runCommand({ dataDir, args: ['import', 'mws', path], env: { TMPDIR: noFolder } });
  expect([code, output]).toEqual([0, expect.stringContaining('1 unchanged')]);
  expect(await scratch()).toEqual(before);
}, 120_000);

it('a missing file is rejected before anything is stored', async () => {
  const { code, output } = await run('places', join(folder, 'nowhere.geojson'));
  expect([code, output]).toEqual([2, expect.stringMatching(/FILE: there is no file .*nowhere\.geojson/)]);
}, 120_000);

it('files that a superuser uploads are imported in the same way, up to the configured size', async () => {
  const { token } = await signIn(server.baseUrl, superuser, PASSWORD);
  const upload = async (text: string): Promise<{ readonly status: number; readonly body: unknown }> => {
    const body = new FormData();
    body.append('file', new Blob([text]), 'in.geojson');
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.baseUrl}/api/v1/import/villages/`, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.json() };
  };
  const village = collection(feature({ ...NAMES, vill_ID: 7, vill_name: 'Gaon' }));
  expect(await upload(village)).toMatchObject({ status: 200, body: { stored: 1, refused_count: 0 } });
  expect(await upload(village)).toMatchObject({ status: 200, body: { stored: 0, unchanged: 1 } });
  expect(await upload('{')).toMatchObject({
    status: 400,
    body: { file: [expect.stringContaining('ends in the middle')] },
  });
  expect((await upload(' '.repeat(1_000_001))).status).toBe(413);
}, 120_000);
