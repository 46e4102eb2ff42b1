import { idOfPath, publishingIn } from '@headwater/core/runs';
import type { ItemForm } from '@headwater/core/ports';
import { parseCql2Text } from '@headwater/cql2';
import { stacText } from '@headwater/stac';
import { expect, it } from 'vitest';
import { table, dataOf, publishData } from './data-sample.ts';
import type { Get } from './sample.ts';
import { deliverable } from './sample.ts';
import { COLLECTION, FORM, found, pages, PATH, publish, told } from './search-sample.ts';

/** The texts of Items. */
export function searchFormCases(get: Get): void {
  it('gives the text of an Item as its form writes what the catalogue holds, before and after it is written', async () => {
    const stores = get();
    const runId = await publish(stores, { id: 'one' }, { id: 'odd', properties: { 'a:b': '\0 \ud800 𝄞', n: 1e-7 } });
    const other: ItemForm = { name: 'other', text: ({ id }) => stacText({ id }) };
    for (const form of [FORM, other, FORM]) {
      for (const write of [false, true]) {
        if (write) expect(await stores.search.write(form, 1)).toBe(1);
        if (write) expect(await stores.search.write(form, 10)).toBe(1);
        if (write) expect(await stores.search.write(form, 10)).toBe(0);
        for (const text of (await stores.search.search({ limit: 10 }, form)).items) {
          const item = await stores.catalog.item(PATH, text.id);
          expect(text).toEqual({
            id: text.id,
            collectionPath: PATH,
            version: 1,
            runId,
            updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            text: item && form.text(item),
          });
          expect(await stores.search.item({ collectionId: COLLECTION, id: text.id }, form)).toEqual(text);
        }
      }
    }
  });

  it('keeps texts from their publication on where a form is given, in the version that publishing gave', async () => {
    const stores = get();
    const { runs, search } = stores;
    const inForm = publishingIn(FORM, runs);
    const other: ItemForm = { name: 'other', text: ({ id }) => stacText({ id }) };
    await publishData(inForm, 'first', { ...dataOf({}), items: [told({ id: 'one' }), told({ id: 'old name' })] });
    await publishData(inForm, 'second', {
      ...dataOf({}),
      items: [
        told({ id: 'one', properties: { title: 'again' } }),
        { ...told({ id: 'new name' }), formerly: [{ collectionPath: PATH, id: 'old name' }] },
      ],
    });
    expect([await search.unwritten(FORM), await search.unwritten(other)]).toEqual([0, 2]);
    for (const id of ['one', 'new name']) {
      const kept = await search.itemAt({ collectionPath: PATH, id }, FORM);
      const item = await stores.catalog.item(PATH, id);
      expect([kept?.version, kept?.text]).toEqual([2, item && FORM.text(item)]);
    }
    expect(await search.itemAt({ collectionPath: PATH, id: 'old name' }, FORM)).toMatchObject({ id: 'new name' });
    for (const key of [
      { collectionPath: PATH, id: 'none' },
      { collectionPath: COLLECTION, id: 'one' },
      { collectionPath: PATH, id: '\0' },
    ])
      expect(await search.itemAt(key, FORM)).toBeUndefined();
  });

  it('publishes nothing where a text cannot be written', async () => {
    const stores = get();
    const broken: ItemForm = {
      name: 'broken',
      text: () => {
        throw new Error('no text of this Item');
      },
    };
    const items = [told({ id: 'one' })];
    await publish(stores, { id: 'one' });
    await expect(publishData(publishingIn(broken, stores.runs), 'second', { ...dataOf({}), items })).rejects.toThrow(
      'no text of this Item',
    );
    expect(await stores.catalog.item(PATH, 'one')).toMatchObject({ version: 1 });
    expect(await stores.runs.get('second')).toMatchObject({ state: 'running' });
  });

  it('tells what the newest Items of a Collection have that can be compared, with the types of the values', async () => {
    const stores = get();
    const day = '2024-05-06T07:08:09.5+05:30';
    const start_datetime = '2021-07-01T00:00:00Z';
    await publish(
      stores,
      {
        id: 'a',
        properties: { gsd: 10, share: 0.5, made: day, mixed: 1, flag: true, list: [1], object: { a: 1 }, no: null },
      },
      {
        id: 'b',
        properties: { gsd: 30, share: 2, made: day, mixed: 'x', start_datetime, end_datetime: start_datetime },
      },
      { id: 'c', path: 'kerala/idukki/devikulam', properties: { elsewhere: 1 } },
    );
    const told = async (most: number, collection = COLLECTION): Promise<unknown> =>
      (await stores.search.properties(collection, most))
        .filter(({ name }) => !['title', 'datetime'].includes(name))
        .map(({ name, types, isInstant }) => [name, types.join(), isInstant]);
    expect(await told(10)).toEqual([
      ['end_datetime', 'string', true],
      ['flag', 'boolean', false],
      ['gsd', 'integer', false],
      ['made', 'string', true],
      ['mixed', 'integer,string', false],
      ['share', 'number', false],
      ['start_datetime', 'string', true],
    ]);
    expect(await told(1)).toEqual([
      ['end_datetime', 'string', true],
      ['gsd', 'integer', false],
      ['made', 'string', true],
      ['mixed', 'string', false],
      ['share', 'integer', false],
      ['start_datetime', 'string', true],
    ]);
    expect([await told(10, 'nowhere'), await told(10, '\0')]).toEqual([[], []]);
  });

  it('leaves texts of another form alone where only missing ones are asked for', async () => {
    const stores = get();
    const { runs, search } = stores;
    const other: ItemForm = { name: 'other', text: ({ id }) => stacText({ id }) };
    await publishData(publishingIn(other, runs), 'theirs', { ...dataOf({}), items: [told({ id: 'theirs' })] });
    await publish(stores, { id: 'nobody' });
    expect([await search.unwritten(FORM), await search.unwritten(other)]).toEqual([2, 1]);
    expect(await search.write(FORM, 10, 'missing')).toBe(1);
    expect(await search.write(FORM, 10, 'missing')).toBe(0);
    expect([await search.unwritten(FORM), await search.unwritten(other)]).toEqual([1, 1]);
    expect(await search.write(FORM, 10, 'others')).toBe(1);
    expect(await search.unwritten(FORM)).toBe(0);
  });

  it('finds what replaced an Item, what stands for it and what has its new name once, in the present version', async () => {
    const stores = get();
    const { runs, search } = stores;
    const r1 = await publish(stores, { id: 'one' }, { id: 'old name' });
    await search.write(FORM, 10);
    await publishData(runs, 'stands', {
      ...dataOf({}),
      items: [{ ...told({ id: 'one', properties: { title: 'again' } }), sameContentAs: r1 }],
    });
    await publishData(runs, 'renamed', {
      ...dataOf({}),
      items: [{ ...told({ id: 'new name' }), formerly: [{ collectionPath: PATH, id: 'old name' }] }],
    });
    const { items } = await search.search({ limit: 10, withMatched: true }, FORM);
    expect(items.map(({ id, version, runId }) => [id, version, runId])).toEqual([
      ['one', 2, 'stands'],
      ['new name', 2, 'renamed'],
    ]);
    for (const { id, text } of items) {
      const item = await stores.catalog.item(PATH, id);
      expect(text).toBe(item && FORM.text(item));
    }
    expect(await found(stores, { ids: ['old name'] })).toEqual([]);
    await publish(stores, { id: 'new' });
    expect(await found(stores, { filter: parseCql2Text(`version = '2' AND id <> 'one'`) })).toEqual(['new name']);
    const byVersion = { sort: [{ property: 'version', direction: 'asc' as const }] };
    expect(await found(stores, byVersion)).toEqual(['new', 'new name', 'one']);
    const all = await pages(stores, { ...byVersion, limit: 1 });
    expect(all.map((page) => page.items[0]?.id)).toEqual(['new', 'new name', 'one']);
    const cursor = Buffer.from(JSON.stringify([JSON.stringify([['version', 'asc']]), '2', 'a', 'b'])).toString(
      'base64url',
    );
    await expect(found(stores, { ...byVersion, cursor })).rejects.toMatchObject({ code: 'validation' });
    expect(await search.item({ collectionId: COLLECTION, id: 'old name' }, FORM)).toMatchObject({ id: 'new name' });
  });

  it.each([false, true])(
    'gives the text anew of an Item that a later table belongs to, kept then: %s',
    async (isKept) => {
      const stores = get();
      const { runs, search } = stores;
      await publishData(runs, 'r1', deliverable());
      await search.write(FORM, 10);
      const key = { collectionPath: 'jharkhand/west_singhbhum/chaibasa', id: 'lulc_2020' };
      const name = { collectionId: idOfPath(key.collectionPath), id: key.id };
      const before = await search.item(name, FORM);
      const earlierItem = { ...key, assets: { table_a: { href: 'a' } } };
      await publishData(isKept ? publishingIn(FORM, runs) : runs, 'r2', dataOf({ tables: [table({ earlierItem })] }));
      const after = await search.item(name, FORM);
      expect([before?.version, after?.version, after?.runId]).toEqual([1, 2, 'r1']);
      expect(JSON.parse(after?.text ?? '{}')).toMatchObject({ assets: { table_a: { href: 'a' } }, version: '2' });
      expect(await search.write(FORM, 10)).toBe(isKept ? 0 : 1);
      expect(await search.item(name, FORM)).toEqual(after);
    },
  );
}
