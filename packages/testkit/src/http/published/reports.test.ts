import { type Headwater, toFetchHandler } from '@headwater/http-service';
import { expect, test } from 'vitest';
import { BASE, FIRST, publishSeries, SECOND, serviceWithSheets } from './reports.fixture.ts';

const PLACE = 'state=sample_state&district=sample_district&block=sample_tehsil';

async function withSheets(): Promise<{ headwater: Headwater; read: (path: string) => Promise<string> }> {
  const headwater = await serviceWithSheets();
  const handler = toFetchHandler(headwater.service);
  const read = async (path: string): Promise<string> => {
    const answer = await handler(new Request(`${BASE}/api/v1/${path}`));
    expect(answer.status).toBe(200);
    return await answer.text();
  };
  return { headwater, read };
}

/** Headings of the sections of a page, in order. */
const headings = (page: string): readonly string[] =>
  [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading = '']) => heading.trim());

/** Texts of the cells in the table row whose heading begins with `begins`. */
function cells(page: string, begins: string): readonly string[] {
  const row = page
    .split('<tr>')
    .find((each) => each.includes(`</svg>${begins}</th>`) || each.includes(`>${begins}</th>`));
  return [...(row ?? '').matchAll(/<td class="num">([^<]*)<\/td>/g)].map(([, cell = '']) => cell.trim());
}

test('a report shows each sheet with the data of the micro-watershed, and no data of other micro-watersheds', async () => {
  const { headwater, read } = await withSheets();
  const page = await read(`generate_mws_report/?${PLACE}&uid=${FIRST}`);
  expect(headings(page)).toEqual([
    'Map',
    'Land cover by year',
    'Cropping intensity',
    'Surface water by season',
    'Vegetation index (NDVI)',
    'Water balance by fortnight',
    'Terrain',
    'Land cover on slopes',
    'Changes of land cover',
    'Water bodies',
    'More figures: sample_annual',
    'Neighbouring micro-watersheds',
    'Credits and licence',
  ]);
  expect(cells(page, 'Trees and forest')).toEqual(['1,234.6', '1,100']);
  // The first year has no value, so its cell is empty instead of 0.
  expect(cells(page, 'Built-up')).toEqual(['', '7.3']);
  expect(cells(page, 'Crops per year, 0 to 3')).toEqual(['1.37']);
  expect(cells(page, 'Kharif (July to October)')).toEqual(['12.5']);
  expect(cells(page, 'New built-up land')).toEqual(['3.3']);
  expect(cells(page, 'body_1')).toEqual(['24.0123, 85.5', '4.75']);
  expect(page).not.toContain('body_3');
  expect(page).toContain('61.4');
  const other = await read(`generate_mws_report/?${PLACE}&uid=${SECOND}`);
  expect(cells(other, 'Trees and forest')).toEqual(['65.4', '']);
  expect(headings(other)).not.toContain('Vegetation index (NDVI)');
  expect(headings(other)).not.toContain('Changes of land cover');
  await headwater.close();
});

test('each series names its own layer, not the layer of the other series, and figures from generated data are labelled as synthetic', async () => {
  const { headwater, read } = await withSheets();
  const address = `generate_mws_report/?${PLACE}&uid=${FIRST}`;
  expect(await read(address)).toContain('computed from satellite images and elevations');
  await publishSeries(headwater);
  const page = await read(address);
  for (const kind of ['crop', 'tree']) expect(page).toContain(`/items/place_ndvi_timeseries_${kind}_vector/`);
  expect(page).toContain('computed from synthetic data: the data were generated, not measured');
  expect(page).not.toContain('computed from satellite images');
  expect(await read(`${address}&lang=hi`)).toContain('कृत्रिम आँकड़ों');
  await headwater.close();
});

test('a tehsil report sums hectares, but not shares and quotients', async () => {
  const { headwater, read } = await withSheets();
  const page = await read(`generate_tehsil_report/?${PLACE}`);
  expect(cells(page, 'Trees and forest')).toEqual(['1,300', '1,100']);
  expect(cells(page, 'Two crops')).toEqual(['50']);
  expect(cells(page, 'Kharif (July to October)')).toEqual(['14.5']);
  expect(page).not.toContain('Crops per year');
  expect(headings(page)).not.toContain('Land cover on slopes');
  expect(headings(page)).toContain('Micro-watersheds of the tehsil');
  await headwater.close();
});

test.each(['en', 'hi'])('untrusted text is escaped, in %s', async (language) => {
  const { headwater, read } = await withSheets();
  const page = await read(`generate_mws_report/?${PLACE}&uid=${FIRST}&lang=${language}`);
  expect(page).not.toContain('<script');
  expect(page.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;/g)).toHaveLength(2);
  await headwater.close();
});
