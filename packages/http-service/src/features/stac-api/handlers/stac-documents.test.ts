import type { ItemForm, StoredItemText } from '@headwater/core/ports';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { BASE_TOKEN } from '../../../wire/addresses.ts';
import { itemTextOf } from './stac-documents.ts';
import { itemForm, withPublicBase } from '../../../items/item-form.ts';

const BASE = 'https://maps.example/geo';
const key = { collectionPath: 'assam/cachar/lakhipur', id: 'lulc' };

it('sends an Item of the catalogue as stored, except for the base address and the root, self and parent links', async () => {
  const api = `${BASE_TOKEN}/api/v1/stac-api/`;
  // The test fails if the Item is parsed and written again, because the unusual spaces and numbers would be lost. The
  // link `other` must keep its path, although this path begins like the path of the link `parent`.
  const links = [
    `{ "rel": "root", "href":"${api}" }`,
    `{ "rel": "self", "href":"${api}collections/assam_cachar_lakhipur/items/lulc" }`,
    `{ "rel": "parent", "href":"${api}collections/assam_cachar_lakhipur" }`,
    `{ "rel": "other", "href":"${api}collections/assam_cachar_lakhipur/items" }`,
  ];
  const text = `{ "id" : "lulc",  "n": 1.0, "links": [${links.join(' , ')}] }`;
  const stores = createMemoryStores();
  const stored: StoredItemText = { ...key, version: 1, runId: 'r', updated: '2024-01-01T00:00:00Z', text };
  const forms: ItemForm[] = [];
  const itemAt = async (_key: unknown, form: ItemForm): Promise<StoredItemText> => {
    forms.push(form);
    return stored;
  };
  const form = itemForm();
  const sent = await itemTextOf(
    {
      stores: { ...stores, search: { ...stores.search, itemAt } },
      itemForm: form,
      baseUrl: BASE,
      pipelines: [],
      canCompute: false,
    },
    key,
  );
  const tree = `${BASE}/api/v1/stac/`;
  const expected = [
    `{ "rel": "root", "href":"${tree}" }`,
    `{ "rel": "self", "href":"${tree}assam/cachar/lakhipur/items/lulc/" }`,
    `{ "rel": "parent", "href":"${tree}assam/cachar/lakhipur/" }`,
    `{ "rel": "other", "href":"${BASE}/api/v1/stac-api/collections/assam_cachar_lakhipur/items" }`,
  ];
  expect(sent).toBe(`{ "id" : "lulc",  "n": 1.0, "links": [${expected.join(' , ')}] }`);
  expect(forms).toEqual([form]);
});

it('servers that differ only in their addresses write Items in the same form; servers with different settings write other forms', () => {
  expect(itemForm({ baseUrl: BASE }).name).toBe(itemForm().name);
  expect(itemForm({ publication: { license: 'ODbL-1.0' } }).name).not.toBe(itemForm().name);
  const item = { type: 'Feature', id: key.id, properties: {}, links: [], assets: {} };
  const text = itemForm({ publication: { providers: 'service' } }).text({ ...key, version: 2, runId: 'r', item });
  const { properties }: { properties: { providers: unknown; version: string } } = JSON.parse(text);
  const own = { ...item, assets: { data: { href: `${BASE}/geoserver/a/wcs?x=1` } } };
  const stored = itemForm({ baseUrl: BASE }).text({ ...key, version: 2, runId: 'r', item: own });
  expect(stored).toContain(`"${BASE_TOKEN}/geoserver/a/wcs?x=1&run=r"`);
  expect(stored).not.toContain(BASE);
  expect(properties).toMatchObject({ version: '2', providers: [{ url: `${BASE_TOKEN}/` }] });
});

it('adds a self link with a title to an Item that has no self link', () => {
  const item = { type: 'Feature', id: key.id, properties: { title: 'Land cover' }, links: [], assets: {} };
  const selfOf = (properties: object): unknown => {
    const text = itemForm().text({ ...key, version: 1, runId: 'r', item: { ...item, properties } });
    const { links }: { links: { rel: string }[] } = JSON.parse(text);
    return links.find(({ rel }) => rel === 'self');
  };
  expect(selfOf(item.properties)).toMatchObject({ title: 'Land cover' });
  expect(selfOf({})).toMatchObject({ title: key.id });
});

it('inserts a base address literally, even if it looks like a replacement pattern', () => {
  expect(withPublicBase(`"${BASE_TOKEN}/x" "${BASE_TOKEN}/"`, 'https://maps.example/$&')).toBe(
    '"https://maps.example/$&/x" "https://maps.example/$&/"',
  );
});
