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
  const page = await send(`${ROOT}new_state/far/off/`, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([
    404,
    expect.stringContaining('Off, Far, New State is a known place'),
  ]);
  await headwater.close();
});
