import { createHeadwater } from '@headwater/http-service';
import { validateItem } from '@headwater/stac';
import { describe, expect, test } from 'vitest';
import { publishAsSample, SAMPLE_SECRET } from '../fixture/sample-service.ts';
import { startSample, type Published } from './published.fixture.ts';

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

test('title, licence, providers and attribution of the options appear in catalogue, Collections, Items, responses and pages', async () => {
  const sample = await startSample({ publication: OWN });
  expect(await sample.read('/api/v1/stac/')).toMatchObject({ title: OWN.title });
  for (const path of ['/api/v1/stac/sample_state/', BLOCK])
    expect(await sample.read(path)).toMatchObject({
      license: 'ODbL-1.0',
      providers: OWN.providers,
      links: expect.arrayContaining([
        expect.objectContaining({ rel: 'root', title: OWN.title }),
        expect.objectContaining({ rel: 'license', href: 'https://spdx.org/licenses/ODbL-1.0.html' }),
      ]),
    });
  const computed = (await sample.compute(2022)) as Published & { readonly stac_items: readonly Served[] };
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
    expect(await (await sample.send(path)).text()).toContain('Example Institute &amp; partners');
  expect(await (await sample.send('/')).text()).toContain('<title>Layers of &lt;Example&gt;</title>');
  await sample.headwater.close();
});

test("an Item's own licence stays, and the attribution of the options is added after the Item's own attribution", async () => {
  const sample = await startSample({ publication: OWN });
  const sources = 'Contains modified Copernicus Sentinel data 2020';
  const collectionPath = 'sample_state/sample_district/sample_tehsil';
  const [{ id } = { id: '' }] = (await sample.compute(2021)).stac_items;
  const found = await sample.headwater.stores.catalog.item(collectionPath, id);
  const own = { ...Object(found?.item['properties']), license: 'other', attribution: sources };
  const items = [{ id, collectionPath, item: { ...found?.item, properties: own } }];
  await publishAsSample(sample.headwater, { items, layers: [], timings: {} }, '7');
  const { properties } = await sample.read<Served>(`${BLOCK}items/${id}/`);
  expect(properties).toMatchObject({ license: 'other', attribution: `${sources}. ${OWN.attribution}` });
  for (const path of ['/', BLOCK]) {
    const page = await (await sample.send(path, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain(`<p class="foot" lang="en">${sources}</p>`);
    expect(page).toContain('<p class="foot" lang="en">Example Institute &amp; partners</p>');
  }
  await sample.headwater.close();
});

test('with the options of the reference server: CC-BY-4.0, the service as provider, and no attribution unless an Item has one', async () => {
  const sample = await startSample();
  expect(await sample.read(BLOCK)).toMatchObject({
    license: 'CC-BY-4.0',
    providers: [{ name: 'Headwater', url: 'http://headwater.example/', roles: ['processor', 'host'] }],
  });
  const [item] = (await sample.compute(2021)).stac_items as readonly (Published['stac_items'][0] & Served)[];
  expect(item?.properties).toMatchObject({ license: 'CC-BY-4.0' });
  expect(item?.properties).not.toHaveProperty('attribution');
  for (const path of ['/', '/docs/']) expect(await (await sample.send(path)).text()).not.toContain('Copernicus');
  await sample.headwater.close();
});

describe('createHeadwater rejects options that would make documents invalid, and names the option', () => {
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

  test('accepts the licence "other" with its address', () => {
    const publication = { license: 'other', licenseUrl: 'https://institute.example.org/terms' };
    expect(() => createHeadwater({ ...base, publication })).not.toThrow();
  });
});
