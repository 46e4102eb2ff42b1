import type { Deliverable } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun, stacItem } from './sample.ts';

const PATH = 'jharkhand/west_singhbhum/chaibasa';

/** Reads of what runs published. */
export function catalogCases(get: Get): void {
  const publish = async (id: string, given: Deliverable): Promise<void> => {
    const { runs } = get();
    await runs.enqueue(newRun(id));
    const { token } = await claimed(runs);
    expect(await runs.publish(id, token, given)).toBe('ok');
  };

  describe('the catalogue', () => {
    it('is empty at first', async () => {
      const { catalog } = get();
      expect(await catalog.collections()).toEqual([]);
      expect(await catalog.itemsOf('a/b/c')).toEqual([]);
      expect(await catalog.item('a/b/c', 'x')).toBeUndefined();
      expect(await catalog.layer('ws', 'layer')).toBeUndefined();
      expect(await catalog.layersOf(1)).toEqual([]);
    });

    it('lists collections ascending and the Items of one', async () => {
      const { catalog } = get();
      const [first] = deliverable(['x']).items;
      const at = (collectionPath: string, id: string): Deliverable['items'][number] => ({
        id,
        collectionPath,
        item: first?.item ?? {},
      });
      await publish('r1', {
        items: [at('b/b/b', 'one'), at('a/b/c', 'two'), at('a/b/c', 'three')],
        layers: [],
        timings: {},
      });
      expect(await catalog.collections()).toEqual(['a/b/c', 'b/b/b']);
      expect((await catalog.itemsOf('a/b/c')).map(({ id }) => id).sort()).toEqual(['three', 'two']);
      expect(await catalog.item('b/b/b', 'two')).toBeUndefined();
      expect((await catalog.item('a/b/c', 'two'))?.collectionPath).toBe('a/b/c');
    });

    it('gives an Item back member by member, in its order', async () => {
      const { catalog } = get();
      await publish('r1', deliverable(['lulc_2020'], 'note'));
      const stored = await catalog.item(PATH, 'lulc_2020');
      expect(JSON.stringify(stored?.item)).toBe(JSON.stringify(stacItem('lulc_2020', 'note')));
    });

    it('finds layers by name and by tehsil', async () => {
      const { catalog } = get();
      const given = deliverable();
      await publish('r1', given);
      const expected = { ...given.layers[0], version: 1 };
      expect(await catalog.layer('LULC_level_3', 'LULC_20_21_chaibasa_level_3')).toEqual(expected);
      expect(await catalog.layersOf(1)).toEqual([expected]);
      expect(await catalog.layersOf(2)).toEqual([]);
    });

    it('takes Items without geometry', async () => {
      const { catalog } = get();
      const item = { ...stacItem('plain', 'x'), geometry: null };
      await publish('r1', { items: [{ id: 'plain', collectionPath: 'a/b/c', item }], layers: [], timings: {} });
      expect((await catalog.item('a/b/c', 'plain'))?.item).toEqual(item);
    });
  });
}
