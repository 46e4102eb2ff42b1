import { expect, test } from 'vitest';
import { collectionId, lintTree, validateCollection } from '@headwater/stac';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { jsonInit } from '../suite/harness.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { startSample, type SampleClient } from './published.fixture.ts';

interface Node {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly collection?: string;
  readonly links: readonly {
    readonly rel: string;
    readonly href: string;
    readonly title: string;
    readonly type: string;
  }[];
  readonly assets?: Readonly<Record<string, { readonly href: string; readonly type: string }>>;
}

/** Reads all documents along the links `child` and `item`. Returns the documents by path. */
async function crawl({ read }: SampleClient, path = '/api/v1/stac/'): Promise<ReadonlyMap<string, Node>> {
  const found = new Map<string, Node>();
  const todo = [path];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    const node = await read<Node>(at);
    found.set(at, node);
    for (const { rel, href } of node.links)
      if (rel === 'child' || rel === 'item') todo.push(decodeURI(new URL(href).pathname));
  }
  return found;
}

async function computeOutline(
  sample: SampleClient,
  state: string,
  [district, tehsil]: readonly [string, string],
): Promise<Response> {
  await sample.headwater.stores.places.saveBundle({ ...SAMPLE_PLACE, state, district, tehsil });
  const body = { state, district, block: tehsil, eo_account_id: 1, wait: true };
  return await sample.send('/api/v1/generate_outline_layer/', jsonInit(body));
}

test('every Collection of the tree has a unique id, even if a district and its block have the same name', async () => {
  const sample = await startSample({ pipelines: [outlinePipeline] });
  for (const [state, district, tehsil] of [
    ['Bihar', 'Gaya', 'Gaya'],
    ['Bihar', 'Gaya', 'Gaya Town'],
    ['Odisha', 'Puri', 'Puri'],
    ['Punjab', 'S.A.S. Nagar', 'Dera & Bassi'],
  ] as const)
    expect((await computeOutline(sample, state, [district, tehsil])).status).toBe(200);
  const tree = await crawl(sample);
  const root = tree.get('/api/v1/stac/')?.links.find(({ rel }) => rel === 'root')?.href ?? '';
  const read = (href: string): Promise<unknown> => sample.read(decodeURI(new URL(href).pathname));
  expect(await lintTree({ root, read })).toEqual([]);
  const collections = [...tree].filter(([, { type }]) => type === 'Collection');
  expect(collections.map(([, { id }]) => id).sort()).toEqual([
    'bihar',
    'bihar_gaya',
    'bihar_gaya_gaya',
    'bihar_gaya_gaya_town',
    'odisha',
    'odisha_puri',
    'odisha_puri_puri',
    'punjab',
    'punjab_s.a.s._nagar',
    'punjab_s.a.s._nagar_dera__bassi',
    'sample_state',
    'sample_state_sample_district',
    'sample_state_sample_district_sample_tehsil',
  ]);
  for (const [at, node] of tree) {
    const own = at.replace('/api/v1/stac/', '').replace(/\/$/, '');
    if (node.type === 'Collection') {
      expect(node.id).toBe(collectionId(own));
      expect(validateCollection(node, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
    }
    if (node.type === 'Feature') expect(node.collection).toBe(collectionId(own.replace(/\/items\/.*/, '')));
  }
  await sample.headwater.close();
});

test('a Collection is also served at its path of version 0.1, with links to the current path', async () => {
  const sample = await startSample({ pipelines: [outlinePipeline] });
  await computeOutline(sample, 'Punjab', ['S.A.S. Nagar', 'Dera & Bassi']);
  const [oldPath, present] = ['punjab/sas_nagar/dera_bassi', 'punjab/s.a.s._nagar/dera__bassi'];
  const answer = await sample.read<Node>(`/api/v1/stac/${oldPath}/`);
  expect(answer).toEqual(await sample.read(`/api/v1/stac/${present}/`));
  expect(answer).toMatchObject({ id: 'punjab_s.a.s._nagar_dera__bassi', title: 'Dera & Bassi' });
  expect(answer.links.find(({ rel }) => rel === 'self')?.href).toContain(present);
  expect((await sample.send('/api/v1/stac/punjab/nagar/')).status).toBe(404);
  await sample.headwater.close();
});

test('Collections of every level summarize their Items and list the assets of these Items', async () => {
  const sample = await startSample();
  for (const path of ['sample_state', 'sample_state/sample_district', 'sample_state/sample_district/sample_tehsil']) {
    const collection = await sample.read(`/api/v1/stac/${path}/`);
    expect(collection['summaries']).toEqual({ gsd: { minimum: 100, maximum: 100 }, 'proj:code': ['EPSG:4326'] });
    expect(collection['item_assets']).toMatchObject({
      data: { roles: ['data'], description: expect.stringContaining('application/geo+json or image/tiff') },
      cog: { type: 'image/tiff; application=geotiff; profile=cloud-optimized', title: 'COG', roles: ['data'] },
    });
    expect(validateCollection(collection, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  }
  await sample.headwater.close();
});

test('every link and asset of an Item is served with its declared media type', async () => {
  const sample = await startSample();
  const tree = await crawl(sample);
  const items = [...tree.values()].filter(({ type }) => type === 'Feature');
  expect(items).toHaveLength(2);
  for (const { links, assets = {} } of items) {
    expect(Object.keys(assets).length).toBeGreaterThan(0);
    const typed = [...links.filter(({ rel }) => rel !== 'derived_from'), ...Object.values(assets)];
    for (const { href, type } of typed) {
      const { pathname, search } = new URL(href);
      const answer = await sample.send(pathname + search);
      const served = (answer.headers.get('content-type') ?? '').replace('; charset=utf-8', '');
      expect({ href, status: answer.status, type: served }).toEqual({ href, status: 200, type });
    }
  }
  await sample.headwater.close();
});

test('links of the tree have the titles of their targets', async () => {
  const sample = await startSample();
  const tree = await crawl(sample);
  for (const [at, { links }] of tree) {
    for (const { rel, href, title } of links.filter((link) =>
      ['child', 'parent', 'collection', 'root'].includes(link.rel),
    ))
      expect({ at, rel, title }).toEqual({ at, rel, title: tree.get(new URL(href).pathname)?.title });
  }
  await sample.headwater.close();
});

test('a run whose layer has the name of a published layer of another place fails with 409, and the first layer stays', async () => {
  const sample = await startSample({ pipelines: [outlinePipeline] });
  expect((await computeOutline(sample, 'Bihar', ['Aurangabad', 'Aurangabad'])).status).toBe(200);
  const before = await sample.headwater.stores.catalog.layer('outlines', 'outline_aurangabad_aurangabad');
  const answer = await computeOutline(sample, 'Maharashtra', ['Aurangabad', 'Aurangabad']);
  expect([answer.status, await answer.json()]).toMatchObject([
    409,
    { status: 'failed', code: 'conflict', message: expect.stringContaining('outline_aurangabad_aurangabad') },
  ]);
  expect(await sample.headwater.stores.catalog.layer('outlines', 'outline_aurangabad_aurangabad')).toEqual(before);
  await sample.headwater.close();
});

test('a place whose joined names equal those of a published place is refused with a message that names both places', async () => {
  const sample = await startSample({ pipelines: [outlinePipeline] });
  expect((await computeOutline(sample, 'Uttar', ['Pradesh', 'West'])).status).toBe(200);
  const answer = await computeOutline(sample, 'Uttar Pradesh', ['East', 'Center']);
  expect([answer.status, await answer.json()]).toMatchObject([
    409,
    { message: expect.stringMatching(/uttar_pradesh and uttar\/pradesh .*"uttar_pradesh".*Rename/) },
  ]);
  await sample.headwater.close();
});

test('the keywords of a Collection are its level, the keywords of the pipelines of the service, and the place names', async () => {
  const sample = await startSample({ pipelines: [{ ...outlinePipeline, keywords: ['boundary'] }] });
  expect((await computeOutline(sample, 'Punjab', ['Moga', 'Bagha Purana'])).status).toBe(200);
  const { keywords } = await sample.read<{ keywords: readonly string[] }>('/api/v1/stac/punjab/moga/');
  expect(keywords).toEqual(['tehsil', 'boundary', 'punjab', 'moga']);
});
