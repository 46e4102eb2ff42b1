import { catalogTree } from '@headwater/http-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PIPELINES, SAMPLE_PUBLICATION } from '../fixture/sample-service.ts';
import { jsonInit } from '../suite/harness.ts';
import { startSample, type SampleClient } from './published.fixture.ts';

const ROOT = '/api/v1/stac/';
const BLOCK = `${ROOT}sample_state/sample_district/sample_tehsil/`;
const LAYER = {
  state: 'Sample State',
  district: 'sample_district',
  block: 'SAMPLE TEHSIL',
  layer_name: 'sample_raster',
  layer_type: 'raster',
};

let sample: SampleClient;
beforeAll(async () => (sample = await startSample()));
afterAll(async () => sample.headwater.close());

describe('get_stac_catalog returns the document of the deepest named place', () => {
  const scope = (query: Readonly<Record<string, string>>): Promise<Response> =>
    sample.send(`/api/v1/get_stac_catalog/?${new URLSearchParams(query).toString()}`);

  it.each([
    [{}, ROOT],
    [{ state: 'Sample State' }, `${ROOT}sample_state/`],
    [{ state: 'sample_state', district: 'Sample District' }, `${ROOT}sample_state/sample_district/`],
    [{ state: ' SAMPLE_STATE ', district: 'sample district', block: 'Sample  Tehsil' }, BLOCK],
    [{ state: 'sample_state', district: 'sample_district', tehsil: 'sample_tehsil' }, BLOCK],
    [{ state: '', district: '', block: '' }, ROOT],
    [{ state: 'sample_state', district: '', block: '' }, `${ROOT}sample_state/`],
  ])('%j', async (query, path) => {
    const answer = await scope(query);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/geo+json; charset=utf-8']);
    expect(await answer.json()).toEqual(await sample.read(path));
    const again = await sample.send(`/api/v1/get_stac_catalog/?${new URLSearchParams(query).toString()}`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    { state: 'nowhere' },
    { state: '../sample_state' },
    { state: 'sample_state', district: "sample_district'" },
    { state: 'नमूना' },
    { state: '&' },
  ])('%j is not found', async (query) => {
    const answer = await scope(query);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ error: 'Catalog not found at requested scope' }),
    ]);
  });

  it('returns 400 and names the level that is missing', async () => {
    const answer = await scope({ state: 'sample_state', block: 'sample_tehsil' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ district: ['This field is required.'] }),
    ]);
  });
});

describe('a request to generate the documents of a layer', () => {
  const post = async (body: unknown): Promise<readonly [number, Record<string, unknown>]> => {
    const answer = await sample.send('/api/v1/generate_stac_collection/', jsonInit(body));
    return [answer.status, (await answer.json()) as Record<string, unknown>];
  };

  it.each([
    LAYER,
    { ...LAYER, start_year: 2021 },
    { ...LAYER, start_year: '2021', end_year: null, upload_to_s3: true, overwrite: 'x' },
    { ...LAYER, block: undefined, tehsil: 'sample_tehsil', layer_type: 'Raster' },
  ])('%j is accepted with 200', async (body) => {
    expect(await post(body)).toEqual([200, { Success: 'STAC collection generation initiated' }]);
  });

  it.each([{}, { ...LAYER, layer_name: '' }, { ...LAYER, state: null }, { ...LAYER, block: 7 }])(
    '%j is refused, because a required field is missing, empty or not a text',
    async (body) => {
      const error = 'state, district, block, layer_name, and layer_type are required';
      expect(await post(body)).toEqual([400, expect.objectContaining({ error })]);
    },
  );

  it('is refused with a message that names the invalid type or year, or the layer that is not published', async () => {
    expect(await post({ ...LAYER, layer_type: 'mesh' })).toEqual([
      400,
      expect.objectContaining({ error: "layer_type must be 'raster' or 'vector'" }),
    ]);
    expect(await post({ ...LAYER, layer_type: 'vector' })).toEqual([
      400,
      expect.objectContaining({ layer_type: [expect.stringContaining('is a raster layer')] }),
    ]);
    expect(await post({ ...LAYER, start_year: '20x1' })).toEqual([
      400,
      expect.objectContaining({ start_year: ['A valid integer is required.'] }),
    ]);
    expect(await post({ ...LAYER, start_year: 1999 })).toEqual([
      404,
      expect.objectContaining({
        error: 'Item not found: sample_state_sample_district_sample_tehsil_sample_raster_1999',
      }),
    ]);
    expect(await post({ ...LAYER, state: 'Nowhere' })).toEqual([404, expect.objectContaining({ near: [] })]);
  });
});

it('catalogTree reads from the stores the same documents that the service serves', async () => {
  const { stores, mapServer } = sample.headwater;
  const own = { baseUrl: 'http://headwater.example', publication: SAMPLE_PUBLICATION };
  const tree = catalogTree({ stores, pipelines: SAMPLE_PIPELINES, ...own, mapServer });
  const open = [tree.root];
  const read: string[] = [];
  for (let href = open.pop(); href !== undefined; href = open.pop()) {
    const document = (await tree.read(href)) as { links: { rel: string; href: string }[] };
    expect(document).toEqual(await sample.read(new URL(href).pathname));
    open.push(...document.links.filter(({ rel }) => rel === 'child' || rel === 'item').map((link) => link.href));
    read.push(href);
  }
  expect(read.length).toBeGreaterThan(4);
  expect(await tree.read('http://headwater.example/api/v1/runs/')).toBeUndefined();
  expect(await tree.read('https://elsewhere.example.org/api/v1/stac/')).toBeUndefined();
});
