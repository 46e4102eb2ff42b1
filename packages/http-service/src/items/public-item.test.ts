import type { PublishedItem } from '@headwater/core';
import { expect, it } from 'vitest';
import { createPublication } from '../layers/publication.ts';
import { publicItem } from './public-item.ts';

const BASE = 'https://geo.example.org';

it('removes keys and signatures from links to sources at other services, and leaves all other links unchanged', () => {
  const links = [
    { rel: 'root', href: `${BASE}/stac/` },
    { rel: 'derived_from', href: 'https://me:s3cret@stac.example.org/items/a?key=s3cret', title: 'a' },
    { rel: 'via', href: 'https://stac.example.org/search?key=s3cret#s3cret' },
    { rel: 'derived_from', href: `${BASE}/api/v1/assets/scenes.json?run=1` },
    { rel: 'self', href: 'https://stac.example.org/a?b=c' },
  ];
  const item = { id: 'x', links };
  const published: PublishedItem = { collectionPath: 'a/b/c', id: 'x', runId: 'r', version: 1, item };
  const served = publicItem(published, {
    baseUrl: BASE,
    publication: createPublication({}, BASE),
    mapServer: undefined,
  });
  expect(served['links']).toEqual([
    { ...links[0], title: expect.any(String) },
    { ...links[1], href: 'https://stac.example.org/items/a' },
    { ...links[2], href: 'https://stac.example.org/search' },
    links[3],
    links[4],
  ]);
});
