import { idOfPath, withItemForm } from '@headwater/core/runs';
import type { ItemForm } from '@headwater/core/ports';
import { parseCql2Text, stacText } from '@headwater/http-service/testing';
import { expect, it } from 'vitest';
import { table, dataOf, publishData } from './data-sample.ts';
import type { Get } from './sample.ts';
import { deliverable } from './sample.ts';
import { COLLECTION, FORM, found, pages, PATH, publish, itemOf } from './search-sample.ts';

/**
 * Test cases of the stored texts of Items. A form (`ItemForm`) serialises an Item, so an Item has another text in each
 * form.
 */
export function searchFormCases(get: Get): void {
  it('returns the text that the form writes for an Item, both before and after this text is stored', async () => {
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

  it('stores the texts of a form during the publication, with the published version', async () => {
    const stores = get();
    const { runs, search } = stores;
    const inForm = withItemForm(FORM, runs);
    const other: ItemForm = { name: 'other', text: ({ id }) => stacText({ id }) };
    await publishData(inForm, 'first', { ...dataOf({}), items: [itemOf({ id: 'one' }), itemOf({ id: 'old name' })] });
    await publishData(inForm, 'second', {
      ...dataOf({}),
      items: [
        itemOf({ id: 'one', properties: { title: 'again' } }),
        { ...itemOf({ id: 'new name' }), formerly: [{ collectionPath: PATH, id: 'old name' }] },
      ],
    });
    expect([await search.unwritten(FORM), await search.unwritten(other)]).toEqual([0, 2]);
    for (const id of ['one', 'new name']) {
      const stored = await search.itemAt({ collectionPath: PATH, id }, FORM);
      const item = await stores.catalog.item(PATH, id);
      expect([stored?.version, stored?.text]).toEqual([2, item && FORM.text(item)]);
    }
    expect(await search.itemAt({ collectionPath: PATH, id: 'old name' }, FORM)).toMatchObject({ id: 'new name' });
    for (const key of [
      { collectionPath: PATH, id: 'none' },
      { collectionPath: COLLECTION, id: 'one' },
      { collectionPath: PATH, id: '\0' },
    ])
      expect(await search.itemAt(key, FORM)).toBeUndefined();
  });

  it('publishes nothing if a text cannot be written', async () => {
    const stores = get();
    const broken: ItemForm = {
      name: 'broken',
      text: () => {
        throw new Error('no text of this Item');
      },
    };
    const items = [itemOf({ id: 'one' })];
    await publish(stores, { id: 'one' });
    await expect(publishData(withItemForm(broken, stores.runs), 'second', { ...dataOf({}), items })).rejects.toThrow(
      'no text of this Item',
    );
    expect(await stores.catalog.item(PATH, 'one')).toMatchObject({ version: 1 });
    expect(await stores.runs.get('second')).toMatchObject({ state: 'running' });
  });

  it('lists the properties that filters can compare, with their types, from the newest Items of a Collection', async () => {
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
    const typesOf = async (most: number, collection = COLLECTION): Promise<unknown> =>
      (await stores.search.properties(collection, most))
        .filter(({ name }) => !['title', 'datetime'].includes(name))
        .map(({ name, types, isInstant }) => [name, types.join(), isInstant]);
    expect(await typesOf(10)).toEqual([
      ['end_datetime', 'string', true],
      ['flag', 'boolean', false],
      ['gsd', 'integer', false],
      ['made', 'string', true],
      ['mixed', 'integer,string', false],
      ['share', 'number', false],
      ['start_datetime', 'string', true],
    ]);
    expect(await typesOf(1)).toEqual([
      ['end_datetime', 'string', true],
      ['gsd', 'integer', false],
      ['made', 'string', true],
      ['mixed', 'string', false],
      ['share', 'integer', false],
      ['start_datetime', 'string', true],
    ]);
    expect([await typesOf(10, 'nowhere'), await typesOf(10, '\0')]).toEqual([[], []]);
  });

  it('does not replace texts of another form if only missing texts are written', async () => {
    const stores = get();
    const { runs, search } = stores;
    const other: ItemForm = { name: 'other', text: ({ id }) => stacText({ id }) };
    await publishData(withItemForm(other, runs), 'theirs', { ...dataOf({}), items: [itemOf({ id: 'theirs' })] });
    await publish(stores, { id: 'without' });
    expect([await search.unwritten(FORM), await search.unwritten(other)]).toEqual([2, 1]);
    expect(await search.write(FORM, 10, 'missing')).toBe(1);
    expect(await search.write(FORM, 10, 'missing')).toBe(0);
    expect([await search.unwritten(FORM), await search.unwritten(other)]).toEqual([1, 1]);
    expect(await search.write(FORM, 10, 'others')).toBe(1);
    expect(await search.unwritten(FORM)).toBe(0);
  });

  it('finds replaced and renamed Items only once, in their current version', async () => {
    const stores = get();
    const { runs, search } = stores;
    const r1 = await publish(stores, { id: 'one' }, { id: 'old name' });
    await search.write(FORM, 10);
    await publishData(runs, 'replacement', {
      ...dataOf({}),
      items: [{ ...itemOf({ id: 'one', properties: { title: 'again' } }), sameContentAs: r1 }],
    });
    await publishData(runs, 'renamed', {
      ...dataOf({}),
      items: [{ ...itemOf({ id: 'new name' }), formerly: [{ collectionPath: PATH, id: 'old name' }] }],
    });
    const { items } = await search.search({ limit: 10, withMatched: true }, FORM);
    expect(items.map(({ id, version, runId }) => [id, version, runId])).toEqual([
      ['one', 2, 'replacement'],
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
    'updates the text of an Item to which a table is added later; text stored with the table: %s',
    async (isStored) => {
      const stores = get();
      const { runs, search } = stores;
      await publishData(runs, 'r1', deliverable());
      await search.write(FORM, 10);
      const key = { collectionPath: 'jharkhand/west_singhbhum/chaibasa', id: 'lulc_2020' };
      const name = { collectionId: idOfPath(key.collectionPath), id: key.id };
      const before = await search.item(name, FORM);
      const earlierItem = { ...key, assets: { table_a: { href: 'a' } } };
      await publishData(isStored ? withItemForm(FORM, runs) : runs, 'r2', dataOf({ tables: [table({ earlierItem })] }));
      const after = await search.item(name, FORM);
      expect([before?.version, after?.version, after?.runId]).toEqual([1, 2, 'r1']);
      expect(JSON.parse(after?.text ?? '{}')).toMatchObject({ assets: { table_a: { href: 'a' } }, version: '2' });
      expect(await search.write(FORM, 10)).toBe(isStored ? 0 : 1);
      expect(await search.item(name, FORM)).toEqual(after);
    },
  );
}
