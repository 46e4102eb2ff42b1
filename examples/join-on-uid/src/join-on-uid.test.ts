import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createExpressRouter, type Headwater } from '@headwater/http-adapter-express';
import { createSampleService, listening, publishAsSample, SAMPLE_USERS } from '@headwater/testkit-internal';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');
const ROW = { state: 'Sample State', district: 'Sample District', tehsil: 'Row' };
const TWIN = { state: 'Other & State', district: 'Other District', tehsil: 'Row' };

let service: Headwater;
let host: Awaited<ReturnType<typeof listening>>;
let key: string;

/** Square micro-watersheds 1_1 to 1_11, from west to east. */
const squares = Array.from({ length: 11 }, (_, at) => {
  const [west, east, south, north] = [86 + at / 100, 86.01 + at / 100, 24, 24.01];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { uid: `1_${at + 1}`, geometry: { type: 'Polygon' as const, coordinates: [ring] } };
});

const number = (name: string) => ({ name, type: 'number' as const, description: name });
const text = (name: string) => ({ name, type: 'text' as const, description: name });
/** Values of each column, in the order of the micro-watersheds. */
const COLUMNS: Readonly<Record<string, readonly (number | null)[]>> = {
  codes: [0, 1, 3, 3, 3, 1, 0, 0, 0, 0, 0],
  two: [99.2, 100, 100, 100, 100, 99.2, 100, 100, 100, 100, 100],
  ten: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, null],
  zeros: [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5],
  near: [1.00001, 1.00002, 2, 2, 2, 2, 2, 2, 2, 2, 2],
  'Rain & fog': [null, 64.25, null, 812, null, null, null, null, null, null, null],
};

beforeAll(async () => {
  service = await createSampleService();
  host = await listening(express().use(createExpressRouter(service.service)));
  const user = await service.stores.users.byUsername(SAMPLE_USERS.owner.username);
  if (user === undefined) throw new Error('fixture: the owner is not there');
  key = (await service.apiKeys.generate({ kind: 'user', user })).text;
  const { places } = service.stores;
  const { tehsil } = await places.saveBundle({ ...ROW, geometry: null, mws: squares, villages: [] });
  await places.saveBundle({ ...TWIN, geometry: null, mws: squares, villages: [] });
  const rows = squares.map(({ uid }, at) => ({
    UID: uid,
    name: 'text',
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, cells]) => [name, cells[at] ?? null])),
  }));
  const columns = [text('UID'), text('name'), ...Object.keys(COLUMNS).map(number)];
  const of = (keyColumn: string, name: string, ids: readonly string[]) => ({
    name,
    tehsilId: tehsil.id,
    key: keyColumn,
    columns: [text(keyColumn), number('count')],
    rows: ids.map((id, at) => ({ [keyColumn]: id, count: at })),
  });
  const uids = squares.map(({ uid }) => uid);
  const tables = [
    { name: 'rain', tehsilId: tehsil.id, key: 'UID', columns, rows },
    of('mws_id', 'nrega_annual', uids),
    of('MWS UID', 'mws_intersect_villages', uids),
    of('vill_id', 'nrega_assets_village', ['7', '8']),
    of('UID', 'elsewhere', ['9_1', '9_2']),
  ];
  await publishAsSample(service, { items: [], layers: [], tables, timings: {} });
});
afterAll(async () => {
  await host.close();
  await service.close();
});

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

async function run(args: readonly string[], apiKey = key): Promise<Ended> {
  const env = { PUBLIC_API_X_API_KEY: apiKey };
  const ran = promisify(execFile)(
    process.execPath,
    ['--conditions=@headwater/source', MAIN, '--url', host.url, ...args],
    { env },
  );
  return await ran.then(
    (output) => ({ code: 0, ...output }),
    (failure: Ended) => failure,
  );
}
const ofRow = (...args: readonly string[]): Promise<Ended> => run([...args, '--tehsil', 'Row', '--state', ROW.state]);

function colorsOf(svg: string) {
  const areas = [...svg.matchAll(/<path data-uid="([^"]+)" fill="(#[\da-f]{6})" d="M[-\d.,LMZ]+Z"/g)];
  const legend = /<g id="legend">([\s\S]*?)<\/g>/.exec(svg)?.[1] ?? '';
  return {
    areas: Object.fromEntries(areas.map(([, uid, fill]) => [uid, fill])),
    legend: [...legend.matchAll(/fill="(#[\da-f]{6})"\/><text[^>]*>([^<]*)</g)].map(([, fill, text]) => [fill, text]),
  };
}

it('the map has one area for each micro-watershed, in the colour of its class', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await ofRow('rain', 'rain & fog');
  expect([code, stderr]).toEqual([0, '']);
  const { areas, legend } = colorsOf(stdout);
  expect(legend).toEqual([
    ['#ffffcc', '64.25'],
    ['#41b6c4', '812'],
    ['#cccccc', 'no data'],
  ]);
  expect(Object.keys(areas)).toEqual(squares.map(({ uid }) => uid).sort());
  expect(areas).toMatchObject({ '1_1': '#cccccc', '1_2': '#ffffcc', '1_4': '#41b6c4' });
  expect(stdout).toContain('<title>Sample State, Sample District, Row: rain &#38; fog of rain</title>');
});

it.each([
  ['each code as its own class', 'codes', ['0', '1', '3']],
  ['single values instead of ranges if there are two values', 'two', ['99.2', '100']],
  ['single values if the values of a class are equal in the shown digits', 'near', ['1', '2']],
  ['no data for missing values', 'ten', ['1 to 2', '3 to 4', '5 to 6', '7 to 8', '9 to 10', 'no data']],
  ['classes of distinct values', 'zeros', ['0 to 1', '2', '3', '4', '5']],
])('the legend has %s', { timeout: 60_000 }, async (_what, column, texts) => {
  const { areas, legend } = colorsOf((await ofRow('rain', column)).stdout);
  expect(legend.map(([, text]) => text)).toEqual(texts);
  expect(new Set(Object.values(areas))).toEqual(new Set(legend.map(([color]) => color)));
});

it.each(['nrega_annual', 'mws_intersect_villages'])(
  'the program joins %s by its key column',
  { timeout: 60_000 },
  async (sheet) => {
    const { areas, legend } = colorsOf((await ofRow(sheet, 'count')).stdout);
    expect(legend.map(([, text]) => text)).not.toContain('no data');
    expect(new Set(Object.values(areas)).size).toBe(5);
  },
);

const PLACE = 'Sample State, Sample District, Row';
it.each([
  [
    'a sheet',
    ['fog', 'x'],
    `${PLACE}: x of fog: there is no such sheet; the sheets are elsewhere, mws_intersect_villages, `,
  ],
  [
    'a column',
    ['rain', 'fog'],
    `${PLACE}: fog of rain: there is no such column; the columns are uid, name, codes, two, ten, `,
  ],
  [
    'a number',
    ['rain', 'name'],
    `${PLACE}: name of rain: no micro-watershed of the tehsil has a number (rows joined by uid); choose another column
`,
  ],
  [
    'a match',
    ['elsewhere', 'count'],
    'count of elsewhere: no micro-watershed of the tehsil has a number (rows joined by uid)',
  ],
  ['a key', ['nrega_assets_village', 'count'], 'has a number (rows joined by uid or mws_id or mws uid)'],
])('the program prints one message and draws nothing without %s', { timeout: 60_000 }, async (_what, args, message) => {
  const { code, stdout, stderr } = await ofRow(...args);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
  expect(stderr.split('\n')).toHaveLength(2);
});

it('the error lists the tehsils if no tehsil or several tehsils match', { timeout: 60_000 }, async () => {
  const both = '2 active tehsils match; name one of: ';
  const { code, stdout, stderr } = await run(['rain', 'ten', '--tehsil', 'Row']);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    `${both}Other & State, Other District, Row; Sample State, Sample District, Row\n`,
  ]);
  expect((await run(['rain', 'ten', '--tehsil', 'Nowhere'])).stderr).toMatch(/^0 active tehsils .*Sample Tehsil/);
});

it('the program prints the error of the service, without the key', { timeout: 60_000 }, async () => {
  const wrong = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const refused = await run(['rain', 'ten'], wrong);
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: 'Invalid API key\n' });
  expect(JSON.stringify(refused)).not.toContain(wrong);
});

it.each([
  [['rain', 'ten'], ' ', /^PUBLIC_API_X_API_KEY is empty; create a key with POST \/api\/v1\/generate_api_key\/\n$/],
  [['rain'], undefined, /^usage: join-on-uid SHEET COLUMN/],
  [['rain', 'ten', 'more'], undefined, /^usage: join-on-uid SHEET COLUMN/],
  [
    ['rain', 'ten', '--url', 'http://127.0.0.1:1'],
    undefined,
    /^http:.* does not respond; set the address of the service with --url/,
  ],
  [['rain', 'ten', '--teshil', 'Row'], undefined, /^Unknown option '--teshil'/],
])(
  'the program ends with a message for the arguments %j and the key %j',
  { timeout: 60_000 },
  async (args, apiKey, message) => {
    expect(await run(args, apiKey)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  },
);
