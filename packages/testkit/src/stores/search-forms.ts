import { idOfPath, type ItemForm } from '@headwater/core';
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

  it('finds what replaced an Item, what stands for it and what has its new name once, in the present version', async () => {
    const stores = get();
    const { runs, search } = stores;
    const r1 = await publish(stores, { id: 'one' }, { id: 'old name' });
    await search.write(FORM, 10);
    await publishData(runs, 'stands', {
      ...dataOf({}),
      items: [{ ...told({ id: 'one', properties: { title: 'again' } }), standsFor: r1 }],
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

  it('gives the text anew of an Item that a later table belongs to', async () => {
    const stores = get();
    const { runs, search } = stores;
    await publishData(runs, 'r1', deliverable());
    await search.write(FORM, 10);
    const key = { collectionPath: 'jharkhand/west_singhbhum/chaibasa', id: 'lulc_2020' };
    const name = { collectionId: idOfPath(key.collectionPath), id: key.id };
    const before = await search.item(name, FORM);
    const earlierItem = { ...key, assets: { table_a: { href: 'a' } } };
    await publishData(runs, 'r2', dataOf({ tables: [table({ earlierItem })] }));
    const after = await search.item(name, FORM);
    expect([before?.version, after?.version, after?.runId]).toEqual([1, 2, 'r1']);
    expect(JSON.parse(after?.text ?? '{}')).toMatchObject({ assets: { table_a: { href: 'a' } }, version: '2' });
    expect(await search.write(FORM, 10)).toBe(1);
    expect(await search.item(name, FORM)).toEqual(after);
  });
}
