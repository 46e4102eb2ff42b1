import { createHeadwater } from '@headwater/http-service';
import { validateItem } from '@headwater/stac';
import { describe, expect, test } from 'vitest';
import { publishAsSample, SAMPLE_SECRET } from '../fixture/sample-service.ts';
import { askSample, type Published } from './published.fixture.ts';

const BLOCK = '/api/v1/stac/sample_state/sample_district/sample_tehsil/';
const OWN = {
  title: 'Layers of <Example>',
  license: 'ODbL-1.0',
  providers: [
    { name: 'Example Institute', url: 'https://institute.example.org/', roles: ['licensor', 'host'] as const },
    { name: 'Example Lab', roles: ['producer'] as const },
  ],
  attribution: 'Example Institute & partners',
} as const;

interface Served {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly rel: string; readonly title: string }[];
}

const rootTitle = ({ links }: Served) => links.find(({ rel }) => rel === 'root')?.title;

test('title, licence, providers and attribution are what the composition says: catalogue, Collections, Items, answers, pages', async () => {
  const asked = await askSample({ publication: OWN });
  expect(await asked.read('/api/v1/stac/')).toMatchObject({ title: OWN.title });
  for (const path of ['/api/v1/stac/sample_state/', BLOCK])
    expect(await asked.read(path)).toMatchObject({
      license: 'ODbL-1.0',
      providers: OWN.providers,
      links: expect.arrayContaining([
        expect.objectContaining({ rel: 'root', title: OWN.title }),
        expect.objectContaining({ rel: 'license', href: 'https://spdx.org/licenses/ODbL-1.0.html' }),
      ]),
    });
  const computed = (await asked.compute(2022)) as Published & { readonly stac_items: readonly Served[] };
  for (const item of computed.stac_items) {
    expect(item.properties).toMatchObject({
      license: 'ODbL-1.0',
      providers: OWN.providers,
      attribution: OWN.attribution,
    });
    expect(rootTitle(item)).toBe(OWN.title);
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  }
  for (const path of ['/', '/docs/'])
    expect(await (await asked.send(path)).text()).toContain('Example Institute &amp; partners');
  expect(await (await asked.send('/')).text()).toContain('<title>Layers of &lt;Example&gt;</title>');
  await asked.headwater.close();
});

test("what an Item says of itself stays, and the composition's attribution follows its own", async () => {
  const asked = await askSample({ publication: OWN });
  const sources = 'Contains modified Copernicus Sentinel data 2020';
  const collectionPath = 'sample_state/sample_district/sample_tehsil';
  const [{ id } = { id: '' }] = (await asked.compute(2021)).stac_items;
  const found = await asked.headwater.stores.catalog.item(collectionPath, id);
  const own = { ...Object(found?.item['properties']), license: 'other', attribution: sources };
  const items = [{ id, collectionPath, item: { ...found?.item, properties: own } }];
  await publishAsSample(asked.headwater, { items, layers: [], timings: {} }, '7');
  const { properties } = await asked.read<Served>(`${BLOCK}items/${id}/`);
  expect(properties).toMatchObject({ license: 'other', attribution: `${sources}. ${OWN.attribution}` });
  for (const path of ['/', BLOCK]) {
    const page = await (await asked.send(path, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain(`<p class="foot">${sources}</p>`);
    expect(page).toContain('<p class="foot">Example Institute &amp; partners</p>');
  }
  await asked.headwater.close();
});

test('without options: the licence and provider of before, and no credit that no Item asks for', async () => {
  const asked = await askSample();
  expect(await asked.read(BLOCK)).toMatchObject({
    license: 'CC-BY-4.0',
    providers: [{ name: 'Headwater', url: 'http://headwater.example/', roles: ['processor', 'host'] }],
  });
  const [item] = (await asked.compute(2021)).stac_items as readonly (Published['stac_items'][0] & Served)[];
  expect(item?.properties).toMatchObject({ license: 'CC-BY-4.0' });
  expect(item?.properties).not.toHaveProperty('attribution');
  for (const path of ['/', '/docs/']) expect(await (await asked.send(path)).text()).not.toContain('Copernicus');
  await asked.headwater.close();
});

describe('options that would break documents are refused at composition, by name', () => {
  const base = { baseUrl: 'http://localhost:8000', secret: SAMPLE_SECRET };
  test.each([
    [{ license: 'CC BY 4.0' }, /publication\.license: "CC BY 4\.0".*SPDX/],
    [{ license: 'other' }, /publication\.licenseUrl.*other/],
    [{ licenseUrl: 'LICENSE.txt' }, /publication\.licenseUrl: "LICENSE\.txt".*http/],
    [{ title: ' ' }, /publication\.title/],
    [{ providers: [] }, /publication\.providers/],
    [{ providers: [{ name: '' }] }, /publication\.providers\[0\]\.name/],
    [{ providers: [{ name: 'x', url: '/x' }] }, /publication\.providers\[0\]\.url/],
  ])('%j', (publication, message) => {
    expect(() => createHeadwater({ ...base, publication })).toThrow(message);
  });

  test('a licence of its own needs its address', () => {
    const publication = { license: 'other', licenseUrl: 'https://institute.example.org/terms' };
    expect(() => createHeadwater({ ...base, publication })).not.toThrow();
  });
});
