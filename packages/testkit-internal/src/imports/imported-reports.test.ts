import { EXAMPLE_UID, toFetchHandler } from '@headwater/http-service';
import { expect, it } from 'vitest';
import { BASE, IMPORTED, ONE, pageReader, serviceWithImports, TWO } from './imported-reports.fixture.ts';
import { inFolder } from './import-request.fixture.ts';

const LONG = 60_000;

async function pages(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  await inFolder(async (folder) => {
    const headwater = await serviceWithImports(folder);
    const read = pageReader(headwater);
    for (const path of paths) found.push((await read(path)).replaceAll(/\s+/g, ' '));
    await headwater.close();
  });
  return found;
}

const MWS_PAGE = `generate_mws_report/?${IMPORTED}&uid=${ONE}`;
const TEHSIL_PAGE = `generate_tehsil_report/?${IMPORTED}`;
const headings = (page = ''): readonly string[] =>
  [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading = '']) => heading.replaceAll(/<[^>]*>/g, '').trim());

it(
  'a report of imported figures names their files, says that their licence is unknown, and mentions no satellite images',
  { timeout: LONG },
  async () => {
    const [page = '', hindi = ''] = await pages([MWS_PAGE, `${MWS_PAGE}&lang=hi`]);
    expect(page).toContain('figures that the operator of this service imported from files');
    expect(page).not.toContain('satellite');
    expect(page).not.toContain('clear image');
    expect(page).not.toContain('CC-BY-4.0');
    expect(page).toContain('the licence of the imported data is unknown');
    expect(page).toContain('imported from sample_district_imported.xlsx');
    expect(page).toContain('imported from ndvi_timeseries_sample_district_imported_crop.geojson');
    expect(page).not.toMatch(/<span lang="en">(?:ndvi_crop|hydrological_annual)<\/span>/);
    expect(hindi).not.toContain('उपग्रह');
    expect(hindi).toContain('sample_district_imported.xlsx');
  },
);

it(
  'a report shows every sheet and series that contains the micro-watershed, each with its unit',
  { timeout: LONG },
  async () => {
    const [page = ''] = await pages([MWS_PAGE]);
    expect(headings(page)).toEqual([
      'Map',
      'Cropping intensity',
      'Surface water by season',
      'Water balance by year',
      'Works under the employment guarantee (NREGA)',
      'Vegetation index (NDVI)',
      'Water balance by fortnight',
      'Groundwater use (SOGE)',
      'Mines',
      'Villages',
      'More figures: stream_order',
      'Neighbouring micro-watersheds',
      'Credits and licence',
    ]);
    expect(page).toMatch(/Whole year<\/th> <td class="num">8.5<\/td>/);
    // Imported data do not state if the water of a season includes other seasons.
    expect(page).not.toContain('Kharif counts all surface water of the year');
    for (const text of ['900', '4.25', '41.5', '66.1', 'Semi-critical &lt;b&gt;', 'A second quarry', '12.5'])
      expect(page).toContain(text);
    // The caption contains the unit if all rows have the same unit.
    expect(page).toContain('Works under the employment guarantee (NREGA), works </caption>');
    expect(page).toContain('Cropping intensity </caption>');
    expect(page).toMatch(/Two crops, hectares<\/th>/);
    expect(page).toMatch(/Crops per year, 0 to 3<\/th>/);
    expect(page).toMatch(/Depth of the water in wells, metres<\/th>/);
  },
);

it(
  'the page of a tehsil has its map, sums and means, and a list of all published tables',
  { timeout: LONG },
  async () => {
    const [page = '', none = ''] = await pages([
      TEHSIL_PAGE,
      'generate_tehsil_report/?state=sample_state&district=sample_district&block=sample_tehsil',
    ]);
    expect(page).not.toContain('No figures are published');
    expect(page).toMatch(/<path class="own"[^>]*d="M/);
    expect(page).toMatch(/<path class="near"[^>]*d="M/);
    expect(headings(page)).toContain('Published data');
    expect(page).toContain('Water balance by year, millimetres </caption>');
    expect(page).toMatch(/Precipitation<\/th> <td class="num">800<\/td>/);
    expect(page).toMatch(/Plantations<\/th> <td class="num">5<\/td>/);
    for (const name of ['hydrological_annual', 'mws_intersect_villages', 'stream_order', 'ndvi_crop', 'et'])
      expect(page).toContain(`<code>${name}</code>`);
    expect(page).toMatch(/<code>mining<\/code><\/th> <td>Mines<\/td> <td class="num">2<\/td> <td>\d+ \w+ \d{4}<\/td>/);
    expect(page).toMatch(/<code>et<\/code><\/th> <td>Evapotranspiration<\/td> <td>1 July 2017<\/td>/);
    expect(page).toContain(
      'generate_stats_excel_file/?state=sample_state&amp;district=sample_district&amp;block=imported',
    );
    expect(none).toContain('items/sample_state_sample_district_sample_tehsil_sample_vector/');
  },
);

it('a report with computed and imported figures names the sources of both', { timeout: LONG }, async () => {
  const [page = ''] = await pages([
    `generate_mws_report/?state=sample_state&district=sample_district&block=sample_tehsil&uid=${EXAMPLE_UID}`,
  ]);
  expect(page).toContain(
    'computed from satellite images and elevations. This does not apply to figures that the operator',
  );
  expect(page).toContain('Roro');
  expect(page).toContain('imported from sample_district_sample_tehsil.xlsx');
  expect(page).toMatch(/rel="license"[^>]*>CC-BY-4.0</);
  expect(page).toContain('the licence of the imported data is unknown');
});

it(
  'an id with letters, and one stored as a number, each join the rows of tables, series, outlines and downloads',
  { timeout: LONG },
  async () => {
    await inFolder(async (folder) => {
      const headwater = await serviceWithImports(folder);
      const user = await headwater.stores.users.firstSuperuser();
      if (user === undefined) throw new Error('the sample has no superuser');
      const { text } = await headwater.apiKeys.generate({ kind: 'user', user });
      const handler = toFetchHandler(headwater.service);
      const get = async (route: string, more = ''): Promise<Response> =>
        await handler(new Request(`${BASE}/api/v1/${route}/?${IMPORTED}${more}`, { headers: { 'x-api-key': text } }));
      const json = async (route: string, more?: string): Promise<unknown> => await (await get(route, more)).json();
      for (const [uid, figures] of [
        [ONE, { ndvi_crop: 0.31, et: 31.2 }],
        [TWO, { ndvi_tree: 0.5 }],
      ] as const) {
        expect(await json('get_mws_data', `&mws_id=${uid}`)).toMatchObject({
          mws_id: uid,
          time_series: expect.arrayContaining([expect.objectContaining(figures)]),
        });
        expect(await json('get_mws_kyl_indicators', `&mws_id=${uid}`)).toMatchObject([{ mws_id: uid }]);
        expect(await json('get_mws_report', `&uid=${uid}`)).toMatchObject({
          Mws_report_url: expect.stringMatching(new RegExp(`uid=${uid.replace('.', '[.]')}$`)),
        });
        expect((await get('download_mws_report', `&uid=${uid}`)).headers.get('content-disposition')).toContain(uid);
      }
      const { features } = (await json('get_mws_geometries')) as { features: { properties: object }[] };
      expect(features.map(({ properties }) => properties)).toEqual([{ uid: TWO }, { uid: ONE }]);
      const { hydrological_annual: rows } = (await json('get_tehsil_data')) as { hydrological_annual: object[] };
      expect(rows).toMatchObject([{ uid: ONE }, { uid: TWO }]);
      expect(await json('download_kyl_data', '&file_type=json')).toMatchObject([{ mws_id: TWO }, { mws_id: ONE }]);
      expect((await get('download_kyl_data', '&file_type=xlsx')).status).toBe(200);
      for (const wrong of ['a b', 'a:1', 'a'.repeat(65)])
        expect((await get('get_mws_data', `&mws_id=${encodeURIComponent(wrong)}`)).status).toBe(400);
      await headwater.close();
    });
  },
);
