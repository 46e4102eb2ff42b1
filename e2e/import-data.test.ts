import { mkdir, mkdtemp, readFile, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from './client.ts';
import { LAYER_OPTIONS, NAMES, UID, writeDataFiles } from './import-data.fixture.ts';
import { runCommand, startServerProcess, type ServerProcess } from './server-process.ts';

const PASSWORD = 'tall-river-42';
/** Timeout of a step that starts processes on a busy machine. */
const MS = 240_000;
let [folder, excel, superuser, token, key] = ['', '', '', '', ''];
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-import-data-'));
  excel = join(folder, 'excel');
  await mkdir(excel);
  const env = { SUPERUSER_PASSWORD: PASSWORD, EXCEL_PATH: excel };
  server = await startServerProcess({ dataDir: join(folder, 'data'), env, args: ['--no-sample'] });
  [, superuser = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
  const client = await signIn(server.baseUrl, superuser, PASSWORD);
  token = client.token;
  const { body } = await client.post<{ data: { api_key: string } }>('/api/v1/generate_api_key/', {});
  key = body.data.api_key;
}, MS);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]): ReturnType<typeof runCommand> =>
  runCommand({ dataDir: join(folder, 'data'), args: ['import', ...args] });

async function read(route: string, rest: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const query = route === 'get_active_locations' ? '' : `?${new URLSearchParams({ ...NAMES, ...rest }).toString()}`;
  const answer = await fetch(`${server.baseUrl}/api/v1/${route}/${query}`, { headers: { 'x-api-key': key } });
  expect([route, answer.status]).toEqual([route, 200]);
  return await answer.json();
}

async function upload(kind: string, path: string, fields: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const body = new FormData();
  body.append('file', new Blob([await readFile(path)]), basename(path));
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.baseUrl}/api/v1/import/${kind}/`, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.json() };
}

async function workbookWritten(during: () => Promise<void>): Promise<void> {
  const written = (async () => {
    for await (const { filename } of watch(excel, { recursive: true, signal: AbortSignal.timeout(MS) }))
      if (filename?.endsWith('.bland_cland.version') === true) return;
  })();
  await Promise.all([written, during()]);
}

async function expectServed(value: number): Promise<void> {
  expect(await read('get_tehsil_data')).toEqual({ terrain: [{ uid: UID, terrain_cluster_id: value }] });
  expect(await read('get_mws_data', { mws_id: UID })).toMatchObject({
    time_series: [{ date: '2017-07-01', et: value }],
  });
  expect(await read('get_generated_layer_urls')).toMatchObject([
    { layer_name: 'drainage_bland_cland', layer_type: 'vector' },
  ]);
}

it(
  'the command imports workbook, series and layer, which the running service serves immediately',
  async () => {
    const { places, mws, workbook, series, layer, options } = await writeDataFiles(folder, 3);
    expect((await run('places', places)).output).toContain('1 stored');
    expect((await run('mws', mws)).output).toContain('1 stored');
    // A place with only boundaries is not listed.
    expect(await read('get_active_locations')).toEqual([]);
    expect(await read('get_mws_geometries')).toMatchObject({
      features: [{ id: 'mws_bland_cland.1', properties: { uid: UID } }],
    });
    expect((await run('workbook', workbook)).output).toContain('1 stored, 0 unchanged, 0 refused');
    expect(await read('get_active_locations')).toMatchObject([
      { label: NAMES.state, district: [{ label: NAMES.district, blocks: [{ label: NAMES.tehsil }] }] },
    ]);
    expect((await run('series', series)).output).toContain('1 stored, 0 unchanged, 0 refused');
    const without = await run('layer', layer);
    expect([without.code, without.output]).toEqual([
      1,
      expect.stringContaining('options: are required for a layer, with at least: name,'),
    ]);
    expect((await run('layer', layer, '--options', options)).output).toContain('1 stored, 0 unchanged, 0 refused');
    await expectServed(3);
  },
  MS,
);

it(
  'a superuser uploads workbook, series and layer; the workbook on disk is updated',
  async () => {
    const { workbook, series, layer } = await writeDataFiles(folder, 4);
    const stored = { status: 200, body: { stored: 1, unchanged: 0, refused_count: 0 } };
    await workbookWritten(async () => expect(await upload('workbook', workbook)).toMatchObject(stored));
    expect(await upload('series', series)).toMatchObject(stored);
    const options = JSON.stringify(LAYER_OPTIONS);
    expect(await upload('layer', layer, { options })).toMatchObject(stored);
    expect(await upload('layer', layer, { options })).toMatchObject({ status: 200, body: { stored: 0, unchanged: 1 } });
    await expectServed(4);
    const client = await signIn(server.baseUrl, superuser, PASSWORD);
    const { body } = await client.get<unknown>('/api/v1/runs/');
    expect(JSON.stringify(body)).toContain('import_layer');
  },
  MS,
);

it(
  'invalid options are rejected with a message that names them, and an upload reads no file of the service',
  async () => {
    const { series, layer } = await writeDataFiles(folder, 4);
    const refused = async (fields: Readonly<Record<string, string>>, kind = 'layer'): Promise<unknown> =>
      await upload(kind, kind === 'layer' ? layer : series, fields);
    const styles = JSON.stringify({ ...LAYER_OPTIONS, styles: { qml: '/etc/hostname' } });
    for (const [answer, body] of [
      [
        await refused({}),
        { options: [expect.stringContaining('are required for a layer, with at least: name, workspace')] },
      ],
      [await refused({ options: '{' }), { options: ['A JSON object is required.'] }],
      [await refused({ options: styles }), { options: [expect.stringContaining('accepts no style files')] }],
      [
        await refused({ options: JSON.stringify({ ...LAYER_OPTIONS, license: 'my own' }) }),
        { license: [expect.stringContaining('SPDX')] },
      ],
      [
        await refused({ options: '{}' }, 'series'),
        { options: [expect.stringContaining('kind series has no options')] },
      ],
    ] as const)
      expect(answer).toMatchObject({ status: 400, body });
  },
  MS,
);

it(
  'the command imports workbook, series and layer also while no service runs',
  async () => {
    await server.stop('SIGTERM');
    const { workbook, series, layer, options } = await writeDataFiles(folder, 4);
    expect((await run('workbook', workbook)).output).toContain('0 stored, 1 unchanged');
    expect((await run('series', series)).output).toContain('0 stored, 1 unchanged');
    expect((await run('layer', layer, '--options', options)).output).toContain('0 stored, 1 unchanged');
    const changed = await writeDataFiles(folder, 5);
    expect((await run('layer', changed.layer, '--options', options)).output).toContain('1 stored, 0 unchanged');
  },
  MS,
);
