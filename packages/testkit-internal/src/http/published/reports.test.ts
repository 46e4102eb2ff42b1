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

const headings = (page: string): readonly string[] =>
  [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading = '']) => heading.trim());

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
  expect(cells(page, 'Trees and forest')).toEqual(['1,234.6', '1,100', '900', '300']);
  expect(cells(page, 'Not seen (not part of the figures above)')).toEqual(['', '', '600', '1,400']);
  // A missing value must be an empty cell, not 0.
  expect(cells(page, 'Built-up')).toEqual(['', '7.3', '', '']);
  expect(cells(page, 'Crops per year, 0 to 3')).toEqual(['1.37']);
  expect(cells(page, 'Kharif (July to October)')).toEqual(['12.5']);
  expect(cells(page, 'New built-up land')).toEqual(['3.3']);
  expect(cells(page, 'body_1')).toEqual(['24.0123, 85.5', '4.75']);
  expect(page).not.toContain('body_3');
  expect(page).toContain('61.4');
  const other = await read(`generate_mws_report/?${PLACE}&uid=${SECOND}`);
  expect(cells(other, 'Trees and forest')).toEqual(['65.4', '', '100', '']);
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
  // 1400 + 3000 of 6000 ha are unseen, which is more than half, so there is no figure.
  expect(cells(page, 'Trees and forest')).toEqual(['1,300', '1,100', '1,000', '']);
  expect(cells(page, 'Not seen (not part of the figures above)')).toEqual(['', '', '900', '4,400']);
  // Bars do not show unseen land (grey).
  expect(page).not.toContain('#888888');
  expect(cells(page, 'Two crops')).toEqual(['50']);
  expect(cells(page, 'Kharif (July to October)')).toEqual(['14.5']);
  expect(cells(page, 'Crops per year, 0 to 3')).toEqual([]);
  expect(headings(page)).not.toContain('Land cover on slopes');
  expect(headings(page)).toContain('Micro-watersheds of the tehsil');
  await headwater.close();
});

test('the map of a tehsil report is coloured by a chosen figure, with its classes and a table of the same figures', async () => {
  const { headwater, read } = await withSheets();
  const plain = await read(`generate_tehsil_report/?${PLACE}`);
  expect(plain).not.toMatch(/class="area"|<script/);
  const links = [...plain.matchAll(/href="([^"]*column=[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  expect(links).toContain(
    `/api/v1/generate_tehsil_report/?${PLACE}&lang=en&column=lulc_vector%3Atree_forest_in_ha_2021#map`,
  );
  expect(links.some((link) => link.includes('terrain_lulc_slope%3Aforests_area_percent'))).toBe(true);
  expect(links.some((link) => link.includes('area_in_ha_2018') || link.includes('plain'))).toBe(false);
  const page = await read(`generate_tehsil_report/?${PLACE}&column=lulc_vector:tree_forest_in_ha_2021`);
  const title = 'Land cover by year: Trees and forest 2021, hectares';
  expect(page).toContain(`aria-label="Map of Sample Tehsil, ${title}; the table has the same figures"`);
  const fills = [...page.matchAll(/<path class="area" fill="(#\w{6})"/g)].map(([, fill]) => fill);
  expect(fills).toEqual(['#253494', '#ffffcc']);
  expect(
    [...page.matchAll(/<li>\s*<svg class="swatch".*?<\/svg>([^<]*)/gs)].map(([, text = '']) => text.trim()),
  ).toEqual(['65.44 – 1,234.56: micro-watersheds: 1', '1,234.56 – 1,234.56: micro-watersheds: 1']);
  expect(page).toMatch(/12_100174<\/a\s*>\s*<\/th>\s*<td class="num">1,234.56<\/td>/);
  expect(page.match(/aria-current="true"/g)).toHaveLength(1);
  expect(page).not.toContain('<script');
  await headwater.close();
});

test('a micro-watershed without a value is drawn as an outline only, and the legend counts it; Hindi titles name the figure', async () => {
  const { headwater, read } = await withSheets();
  const column = 'column=change_detection_urbanization:total_urbanization_area_in_ha';
  const page = await read(`generate_tehsil_report/?${PLACE}&${column}`);
  expect(page.match(/<path class="area"/g)).toHaveLength(1);
  expect(page.match(/<path class="near"/g)).toHaveLength(1);
  expect(page).toMatch(/no value: micro-watersheds: 1\s*<\/li>/);
  const hindi = await read(`generate_tehsil_report/?${PLACE}&${column}&lang=hi`);
  expect(hindi).toContain('भूमि आवरण में बदलाव: नया निर्मित क्षेत्र, हेक्टेयर');
  expect(hindi).toMatch(/column=change_detection_urbanization%3Atotal_urbanization_area_in_ha&amp;lang=en"/);
  await headwater.close();
});

test('a column that is not published is refused with a message that names the parameter and a remedy', async () => {
  const headwater = await serviceWithSheets();
  const answer = await toFetchHandler(headwater.service)(
    new Request(`${BASE}/api/v1/generate_tehsil_report/?${PLACE}&column=lulc_vector:geometry`),
  );
  expect(answer.status).toBe(400);
  expect(await answer.text()).toMatch(/column: No published column has this name\. Choose one in the list/);
  await headwater.close();
});

test.each(['en', 'hi'])('untrusted text is escaped, in %s', async (language) => {
  const { headwater, read } = await withSheets();
  const page = await read(`generate_mws_report/?${PLACE}&uid=${FIRST}&lang=${language}`);
  expect(page).not.toContain('<script');
  expect(page.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;/g)).toHaveLength(2);
  await headwater.close();
});
