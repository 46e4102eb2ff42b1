import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createExpressRouter, type Headwater } from '@headwater/http-adapter-express';
import { createSampleService, listening, publishAsSample, SAMPLE_USERS } from '@headwater/testkit';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { choropleth } from './choropleth.ts';
import { mapOfColumn } from './map-of-column.ts';

let service: Headwater;
let host: Awaited<ReturnType<typeof listening>>;
let asked: { baseUrl: string; apiKey: string };

beforeAll(async () => {
  service = await createSampleService();
  host = await listening(express().use(createExpressRouter(service.service)));
  const user = await service.stores.users.byUsername(SAMPLE_USERS.owner.username);
  if (user === undefined) throw new Error('fixture: the owner is not there');
  asked = { baseUrl: host.url, apiKey: (await service.apiKeys.generate({ kind: 'user', user })).text };
  const [tehsil] = await service.stores.places.tehsils(1);
  const columns = [
    { name: 'UID', type: 'text', description: 'Micro-watershed' },
    { name: 'Rain & fog', type: 'number', unit: 'mm', description: 'Rain and fog' },
  ] as const;
  const rows = [
    { UID: '12_100174', 'Rain & fog': 812 },
    { UID: '12_100175', 'Rain & fog': 64.25 },
  ];
  const table = { name: 'rain', tehsilId: tehsil?.id ?? 0, key: 'UID', columns, rows };
  await publishAsSample(service, { items: [], layers: [], tables: [table], timings: {} });
});
afterAll(async () => {
  await host.close();
  await service.close();
});

/** Colours of the areas by uid, and those of the legend in its order. */
function colorsOf(svg: string) {
  const areas = [...svg.matchAll(/<path data-uid="([^"]+)" fill="(#[\da-f]{6})" d="M[\d.,LMZ]+Z">/g)];
  const legend = /<g id="legend">([\s\S]*?)<\/g>/.exec(svg)?.[1] ?? '';
  return {
    areas: Object.fromEntries(areas.map(([, uid, fill]) => [uid, fill])),
    legend: [...legend.matchAll(/fill="(#[\da-f]{6})"\/><text[^>]*>([^<]*)</g)].map(([, fill, text]) => [fill, text]),
  };
}

it('draws one area for each micro-watershed, coloured by its class of the legend', async () => {
  const svg = await mapOfColumn({ ...asked, sheet: 'rain', column: 'rain & fog' });
  expect(colorsOf(svg)).toEqual({
    areas: { '12_100174': '#a1dab4', '12_100175': '#ffffcc' },
    legend: [
      ['#ffffcc', '64.25'],
      ['#a1dab4', '812'],
    ],
  });
  expect(svg).toContain('<title>Sample Tehsil: rain.rain &amp; fog</title>');
});

it('shows areas without a value as such', async () => {
  const { areas, legend } = colorsOf(await mapOfColumn({ ...asked, sheet: 'sample_annual', column: 'area_in_ha' }));
  expect(legend.at(-1)).toEqual(['#cccccc', 'no data']);
  expect(areas).toEqual({ '12_100174': '#ffffcc', '12_100175': '#cccccc' });
});

it.each([
  ['codes as themselves', [0, 1, 3, 3, 3, 1], ['0', '1', '3']],
  ['no bound twice', [99.2, 100, 100, 100, 100, 99.2], ['99.2', '100']],
  ['classes that share no bound', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], ['1 to 2', '3 to 4', '5 to 6', '7 to 8', '9 to 10']],
  ['one class where most values are equal', [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5], ['0', '1 to 2', '3 to 5']],
  ['nothing but that there is nothing', [null, null], ['no data']],
])('the legend has %s', (_what, values, texts) => {
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const shapes = values.map((value, at) => {
    const coordinates = [corners.map(([x = 0, y = 0]) => [x + at, y])];
    return { uid: String(at), geometry: { type: 'Polygon' as const, coordinates }, value };
  });
  const { legend, areas } = colorsOf(choropleth('values', shapes));
  expect(legend.map(([, text]) => text)).toEqual(texts);
  expect(new Set(Object.values(areas))).toEqual(new Set(legend.map(([color]) => color)));
});

it('says what there is where something asked for is not there', async () => {
  const wish = { ...asked, sheet: 'sample_annual', column: 'area_in_ha' };
  await expect(mapOfColumn({ ...wish, tehsil: 'Elsewhere' })).rejects.toThrow(
    'Elsewhere: not active; there are: Sample Tehsil',
  );
  await expect(mapOfColumn({ ...wish, sheet: 'fog' })).rejects.toThrow(
    'fog: no such sheet of Sample Tehsil; there are: mws_intersect_swb, rain, sample_annual, terrain',
  );
  await expect(mapOfColumn({ ...wish, column: 'rain' })).rejects.toThrow(
    'rain: no such column in sample_annual of Sample Tehsil; there are: uid, area_in_ha, note, village ids',
  );
});

it('as a command: the map on stdout; what the service refuses on stderr, without the key', async () => {
  const main = join(import.meta.dirname, 'main.ts');
  const run = async (apiKey: string, ...more: string[]): Promise<{ stdout: string; stderr: string }> =>
    await promisify(execFile)(process.execPath, [main, 'terrain', 'terrain_cluster_id', '--url', host.url, ...more], {
      env: { PUBLIC_API_X_API_KEY: apiKey },
    });
  const { stdout, stderr } = await run(asked.apiKey);
  expect([stdout.startsWith('<svg '), stderr]).toEqual([true, '']);
  const wrong = asked.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const failure: unknown = await run(wrong).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^get_active_locations: 401 [^{}"]*generate_api_key makes one\.\n$/),
  });
  expect(JSON.stringify(failure)).not.toContain(wrong);
  const wrongWords: readonly [RegExp, string, ...string[]][] = [
    [/^PUBLIC_API_X_API_KEY is empty; .*\nusage: /, ' '],
    [/^not understood: Sample Tehsil\nusage: /, asked.apiKey, 'Sample', 'Tehsil'],
    [/^Unknown option '--teshil'.*\nusage: /, asked.apiKey, '--teshil', 'Sample'],
  ];
  for (const [said, key, ...more] of wrongWords) {
    await expect(run(key, ...more)).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(said) });
  }
});
