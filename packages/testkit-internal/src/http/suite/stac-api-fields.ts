import { expect } from 'vitest';
import { TIE_COLLECTION } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import type { StacClient } from './stac-api-client.ts';

type Fields = Readonly<Record<'include' | 'exclude', readonly string[] | null>>;

const IDENTITY = ['collection', 'id', 'stac_version', 'type'];
const MINIMAL = [...IDENTITY, 'assets', 'bbox', 'geometry', 'links', 'properties'].toSorted();
const WHOLE = [...MINIMAL, 'stac_extensions'].toSorted();
const TIMES = ['datetime', 'end_datetime', 'start_datetime'];

/** Test cases of the Fields extension, by GET and by POST. */
export function stacFieldCases(target: HttpTarget, client: StacClient): void {
  const members = (item: unknown): readonly string[] => Object.keys(Object(item) as object).toSorted();
  const byQuery = async (fields: string): Promise<Readonly<Record<string, unknown>>> => {
    const { features } = await client.search({ fields, limit: '1', collections: TIE_COLLECTION });
    return features[0] ?? {};
  };
  const byBody = async (fields: Partial<Fields>): Promise<Readonly<Record<string, unknown>>> => {
    const { features } = await client.post({ fields, limit: 1, collections: [TIE_COLLECTION] });
    return features[0] ?? {};
  };

  defineCase(target, 'without fields Items are complete', async () => {
    const { features } = await client.search({ limit: '1' });
    expect(members(features[0])).toEqual(WHOLE);
  });

  defineCase(target, 'an empty parameter fields returns the members that an Item needs to be valid', async () => {
    const answers = [
      await byQuery(''),
      await byBody({}),
      await byBody({ include: null, exclude: null }),
      await byBody({ include: [], exclude: [] }),
    ];
    for (const item of answers) {
      expect(members(item)).toEqual(MINIMAL);
      expect(members(item['properties'])).toEqual(TIMES);
    }
    await client.refusedBody('fields', { fields: null });
  });

  defineCase(target, 'if only exclude is sent, all other members are returned', async () => {
    for (const item of [await byQuery('-geometry'), await byBody({ exclude: ['geometry'] })]) {
      expect(members(item)).toEqual(WHOLE.filter((name) => name !== 'geometry'));
      expect(item['properties']).toHaveProperty('gsd');
    }
    const narrow = await byBody({ include: [], exclude: ['geometry'] });
    expect(members(narrow)).toEqual(MINIMAL.filter((name) => name !== 'geometry'));
    expect(narrow['properties']).not.toHaveProperty('gsd');
    const inside = await byQuery('-properties.gsd,-assets.data.href');
    expect(inside['properties']).not.toHaveProperty('gsd');
    expect(Object(inside['assets'])).toMatchObject({ data: { title: expect.any(String) } });
    expect(Object(inside['assets'])).not.toHaveProperty('data.href');
  });

  defineCase(
    target,
    'included top-level members are returned together with the identifying members, and no others',
    async () => {
      for (const name of ['geometry', 'links', 'assets', 'bbox'])
        for (const item of [await byQuery(name), await byQuery(`+${name}`), await byBody({ include: [name] })])
          expect(members(item)).toEqual([...IDENTITY, name].toSorted());
      expect(members(await byBody({ include: ['geometry'], exclude: ['geometry'] }))).toEqual(
        [...IDENTITY, 'geometry'].toSorted(),
      );
    },
  );

  defineCase(target, 'an included property is added to the minimal members', async () => {
    for (const item of [await byQuery('properties.gsd'), await byBody({ include: ['properties.gsd'] })]) {
      expect(members(item)).toEqual(MINIMAL);
      expect(members(item['properties'])).toEqual([...TIMES, 'gsd'].toSorted());
    }
    const both = { include: ['properties.gsd'], exclude: ['properties'] };
    for (const item of [await byQuery('-properties,+properties.gsd'), await byBody(both)]) {
      expect(members(item)).toEqual([...IDENTITY, 'properties'].toSorted());
      expect(members(item['properties'])).toEqual(['gsd']);
    }
  });

  defineCase(target, 'unknown names are ignored, invalid names are refused', async () => {
    expect(members(await byQuery('id,nothing.at.all,__proto__,constructor.prototype'))).toEqual(MINIMAL);
    for (const fields of ['.', 'properties.', 'a..b', '-.']) await client.refused('fields', { fields });
    const answer = await client.refusedBody('fields', { fields: { include: Array.from({ length: 500 }, String) } });
    expect(answer).toMatch(/More than 200/);
  });

  defineCase(target, 'the Items of the next page have the same members', async () => {
    const first = await client.post({ fields: { include: ['bbox'] }, limit: 2, collections: TIE_COLLECTION });
    const next = first.links.find(({ rel }) => rel === 'next');
    expect(next?.body).toMatchObject({ fields: { include: ['bbox'] }, limit: 2, collections: TIE_COLLECTION });
    const second = await client.post(next?.body);
    expect(second.features.map(members)).toEqual(first.features.map(members));
  });
}
