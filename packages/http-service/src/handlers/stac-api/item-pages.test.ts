import type { ItemPage, SearchRequest } from '@headwater/core';
import { createMemoryStores } from '@headwater/core/memory';
import { expect, it } from 'vitest';
import { createPublication } from '../../publication.ts';
import { BASE_TOKEN } from '../../wire/addresses.ts';
import { itemForm } from '../item-form.ts';
import { itemPage } from './item-pages.ts';
import type { PageRequest } from './links.ts';

const BASE = 'https://maps.example/geo';
const request: PageRequest = { method: 'GET', address: `${BASE}/search`, query: '' };

/** A page over a store that gives these pages one after another; what it was asked for. */
async function pages(given: readonly ItemPage[], tokens: readonly (string | undefined)[]) {
  const stores = createMemoryStores();
  const asked: SearchRequest[] = [];
  const search = async (each: SearchRequest): Promise<ItemPage> => {
    asked.push(each);
    return given[asked.length - 1] ?? { items: [] };
  };
  const deps = {
    stores: { ...stores, search: { ...stores.search, search } },
    publication: createPublication({}, BASE),
    itemForm: itemForm(),
    baseUrl: BASE,
  };
  const bodies: Record<string, unknown>[] = [];
  for (const token of tokens) {
    const wanted = { conditions: {}, limit: 1, token, fields: undefined };
    const reply = await itemPage(deps, wanted, { request, links: [] });
    if (!('prepared' in reply)) throw new Error('no prepared bytes');
    const body: Record<string, unknown> = JSON.parse(new TextDecoder().decode(reply.prepared.bytes));
    bodies.push(body);
  }
  return { asked, bodies };
}

it('Items are counted once, and pages that follow tell the same number', async () => {
  const { asked, bodies } = await pages(
    [
      { items: [], next: 'abc', matched: 7 },
      { items: [], next: 'def' },
    ],
    [undefined, '7.abc'],
  );
  expect(asked).toEqual([
    { limit: 1, withMatched: true },
    { limit: 1, cursor: 'abc' },
  ]);
  expect(bodies).toMatchObject([{ numberMatched: 7 }, { numberMatched: 7 }]);
  expect(JSON.stringify(bodies[1])).toContain('token=7.def');
});

it('where a store counts no further, no page tells a number', async () => {
  const { asked, bodies } = await pages([{ items: [], next: 'abc' }, { items: [] }], [undefined, '.abc']);
  expect(JSON.stringify(bodies[0])).toContain('token=.abc');
  expect(asked[1]).toEqual({ limit: 1, cursor: 'abc' });
  for (const body of bodies) expect(body).not.toHaveProperty('numberMatched');
});

it('stored texts go out as they are, but for the base address', async () => {
  // Blanks and an order of its own: nothing parses it.
  const text = `{ "id" : "a", "href": "${BASE_TOKEN}/x",  "n": 1.0 }`;
  const stored = { id: 'a', collectionPath: 'a/b/c', version: 1, runId: 'r', updated: '2024-01-01T00:00:00Z', text };
  const stores = createMemoryStores();
  const search = async (): Promise<ItemPage> => ({ items: [stored, stored], matched: 2 });
  const deps = {
    stores: { ...stores, search: { ...stores.search, search } },
    publication: createPublication({}, BASE),
    itemForm: itemForm(),
    baseUrl: BASE,
  };
  const wanted = { conditions: {}, limit: 2, token: undefined, fields: undefined };
  const reply = await itemPage(deps, wanted, { request, links: [] });
  const sent = 'prepared' in reply ? new TextDecoder().decode(reply.prepared.bytes) : '';
  const once = `{ "id" : "a", "href": "${BASE}/x",  "n": 1.0 }`;
  expect(sent).toContain(`"features":[${once},${once}],`);
  expect(sent).not.toContain(BASE_TOKEN);
});
