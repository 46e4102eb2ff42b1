import { placeSlug } from '@headwater/core';
import { expect, test } from 'vitest';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { startSample } from './published.fixture.ts';

const ROOT = '/api/v1/stac/';

test('the 404 of a known place without results names the place and the route that computes it', async () => {
  const { headwater, send } = await startSample();
  const { state, district, geometry } = SAMPLE_PLACE;
  const bare = { geometry, mws: [], villages: [] };
  await headwater.stores.places.saveBundle({ state, district, tehsil: 'Jal Gaon', ...bare });
  await headwater.stores.places.saveBundle({ state: 'New State', district: 'Far', tehsil: 'Off', ...bare });
  const computing = headwater.pipelines.find(({ data = [] }) => data.length > 0);
  const sample = [state, district].map(placeSlug).join('/');
  const responseOf = async (path: string) => {
    const answer = await send(ROOT + path);
    return [answer.status, await answer.json()];
  };
  const route = 'nothing has been computed for it yet: POST /api/v1/lulc_for_tehsil/ does.';
  const detail = (text: string) => [404, expect.objectContaining({ status: 404, detail: text })];
  expect(await responseOf(`${sample}/jal_gaon/`)).toEqual(
    detail(`Block collection not found: jal_gaon. Jal Gaon, ${district}, ${state} is a known place; ${route}`),
  );
  expect(await responseOf('new_state/')).toEqual(
    detail(`State collection not found: new_state. New State is a known place; ${route}`),
  );
  expect(await responseOf('new_state/far/')).toEqual(
    detail(`District collection not found: far. Far, New State is a known place; ${route}`),
  );
  for (const path of [`${sample}/jal_goan/`, 'new_state/far/of/', 'nowhere/'])
    expect(await responseOf(path)).toEqual(detail(expect.stringMatching(/collection not found: \w+$/)));
  // Every other public GET of a known place without results.
  const query = 'state=New%20State&district=Far&block=Off';
  const tables = '/api/v1/tables/new_state/far/off/';
  const off =
    'Off, Far, New State is a known place; nothing has been computed for it yet: POST /api/v1/lulc_for_tehsil/';
  for (const [path, text] of [
    [`/api/v1/get_stac_catalog/?${query}`, off],
    ['/api/v1/stac-api/collections/new_state_far_off', off],
    ['/api/v1/stac-api/collections/new_state_far_off/items', off],
    ['/api/v1/stac-api/collections/new_state_far_off/items/new_state_far_off_lulc', off],
    [`${ROOT}new_state/far/off/items/new_state_far_off_lulc/`, off],
    [`/api/v1/download_kyl_data/?${query}`, /no table of Off is published; POST \/api\/v1\/\w+\/ .*computes it/],
    [
      `/api/v1/generate_stats_excel_file/?${query}`,
      /no table of Off is published; POST \/api\/v1\/\w+\/ .*computes it/,
    ],
    [`/api/v1/download_kyl_village_data/?${query}`, 'POST /api/v1/import/villages/'],
    [`/api/v1/generate_mws_report/?${query}&uid=1`, 'POST /api/v1/import/mws/'],
    [`${tables}${computing?.data?.[0]}/`, `POST /api/v1/${computing?.route}/`],
  ] as const) {
    const answer = await send(path);
    expect([path, answer.status, await answer.text()]).toEqual([
      path,
      404,
      typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
    ]);
  }
  // People get a page that says how to compute the place.
  const pageOf = async (path: string): Promise<readonly [number, string]> => {
    const answer = await send(path, { headers: { accept: 'text/html' } });
    return [answer.status, (await answer.text()).replace(/\s+/g, ' ').replaceAll('&quot;', '"')];
  };
  const [status, text] = await pageOf(`${ROOT}new_state/far/off/`);
  expect([status, text]).toEqual([200, expect.stringContaining('Off, Far, New State is a known place')]);
  expect(text).toContain('"state":"New State","district":"Far","block":"Off"');
  expect(text).toContain('href="/computations/"');
  // A state and a district lead to the places below them.
  expect(await pageOf(`${ROOT}new_state/`)).toEqual([200, expect.stringContaining(`href="${ROOT}new_state/far/"`)]);
  expect(await pageOf(`${ROOT}new_state/far/`)).toEqual([
    200,
    expect.stringContaining(`href="${ROOT}new_state/far/off/"`),
  ]);
  expect((await pageOf(`${ROOT}nowhere/`))[0]).toBe(404);
  await headwater.close();
});
