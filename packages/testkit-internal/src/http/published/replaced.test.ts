import { EXAMPLE_RUN } from '@headwater/http-service';
import { validateItem } from '@headwater/stac';
import { expect, test } from 'vitest';
import { startSample } from './published.fixture.ts';

interface Run {
  readonly item_ids: readonly string[];
  readonly replaced_items: readonly { readonly id: string; readonly latest: string | null }[];
  readonly stac_items: readonly {
    readonly id: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly links: readonly { readonly rel: string; readonly href: string; readonly type: string }[];
  }[];
}

const RASTER = 'sample_state_sample_district_sample_tehsil_sample_raster_2021';
const VECTOR = 'sample_state_sample_district_sample_tehsil_sample_vector';

test('a run returns the versions that it published, and marks the versions that a later run has replaced', async () => {
  const { headwater, read, compute } = await startSample();
  expect((await read<Run>(`/api/v1/runs/${EXAMPLE_RUN}/`)).replaced_items).toEqual([]);
  const later = await compute(2022);
  const run = await read<Run>(`/api/v1/runs/${EXAMPLE_RUN}/`);
  expect(run.stac_items.map(({ id, properties }) => [id, properties['version'], properties['deprecated']])).toEqual([
    [RASTER, '1', undefined],
    [VECTOR, '1', true],
  ]);
  const [unchanged, replaced] = run.stac_items;
  expect(replaced?.properties['title']).toBe('Sample layer 2021');
  const latest = replaced?.links.find(({ rel }) => rel === 'latest-version');
  expect(latest).toMatchObject({ type: 'application/geo+json', href: expect.stringContaining(`/items/${VECTOR}/`) });
  expect(run.replaced_items).toEqual([{ id: VECTOR, latest: latest?.href }]);
  expect(unchanged?.links.some(({ rel }) => rel === 'latest-version')).toBe(false);
  for (const item of run.stac_items)
    expect(validateItem(item, 'headwater').filter((f) => f.severity === 'error')).toEqual([]);
  const present = await read<Run['stac_items'][number]>(new URL(latest?.href ?? '').pathname);
  expect(present.properties).toMatchObject({ version: '2', title: 'Sample layer 2022' });
  expect(later.stac_items.at(-1)).toEqual(present);
  await headwater.close();
});

test('the response of a computation names the years of a layer that it has replaced, if any', async () => {
  const { headwater, compute } = await startSample();
  expect((await compute(2021)).message).not.toContain('replaces');
  const { message } = await compute(2022);
  expect(message).toMatch(
    /\. sample_state\w+_sample_vector replaces a version of 2021-07-01 to 2022-06-30 by a version of 2022-/,
  );
  expect(message).toContain('Request all years together');
  await headwater.close();
});

test('a run without stored versions reports all its Items as replaced', async () => {
  const { headwater, read } = await startSample();
  const { catalog } = headwater.stores;
  const withoutVersions = { ...catalog, itemsOfRun: async () => [] };
  Object.assign(headwater.stores, { catalog: withoutVersions });
  const run = await read<Run>(`/api/v1/runs/${EXAMPLE_RUN}/`);
  expect(run.stac_items).toEqual([]);
  expect(run.replaced_items).toEqual([RASTER, VECTOR].map((id) => ({ id, latest: null })));
  await headwater.close();
});
