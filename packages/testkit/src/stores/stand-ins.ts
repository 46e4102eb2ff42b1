import type { Deliverable } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { table } from './data-sample.ts';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun } from './sample.ts';

/** Items of later runs that say the same as those of an earlier one, whose stored result goes on answering. */
export function standInCases(get: Get): void {
  describe('a stored result', () => {
    it('is found while another run shows an Item of its name that stands for it', async () => {
      const { runs, catalog } = get();
      const publish = async (id: string, given: Deliverable, fingerprint = id): Promise<void> => {
        await runs.enqueue(newRun(id, { fingerprint }));
        const { token } = await claimed(runs);
        await runs.publish(id, token, { ...given, inputs: 'scenes' });
      };
      const standing = (standsFor: string, names = ['vector']): Deliverable => {
        const given = deliverable(names, 'again');
        return { ...given, items: given.items.map((item) => ({ ...item, standsFor })) };
      };
      const tables = [table({ itemId: 'vector' })];
      await publish('rasters', { ...deliverable(['raster', 'vector']), tables });
      await publish('again', { ...standing('rasters'), tables });
      expect(await runs.resultOf('rasters')).toMatchObject({ id: 'rasters' });
      expect(await runs.resultOf('again')).toMatchObject({ id: 'again' });
      // What that run published is its answer, and the name leads to the newest.
      expect((await catalog.itemsOfRun('rasters')).map(({ id, replaced }) => [id, replaced])).toEqual([
        ['raster', false],
        ['vector', true],
      ]);
      await publish('without a table', deliverable(['alone']));
      await publish('with one', {
        ...deliverable(['alone'], 'again'),
        items: deliverable(['alone']).items.map((item) => ({ ...item, standsFor: 'without a table' })),
        tables: [table({ name: 'alone', itemId: 'alone' })],
      });
      expect(await runs.resultOf('without a table')).toMatchObject({ id: 'without a table' });
      await publish('third', { ...standing('rasters'), tables });
      expect([await runs.resultOf('rasters'), await runs.resultOf('again')]).toMatchObject([
        { id: 'rasters' },
        undefined,
      ]);
      // An Item of a name that the run never published stands for nothing of it.
      await publish('other', deliverable(['vector']));
      await publish('elsewhere', standing('rasters', ['new']));
      expect(await runs.resultOf('rasters')).toBeUndefined();
      await publish('fourth', { ...standing('rasters'), tables });
      expect(await runs.resultOf('rasters')).toMatchObject({ id: 'rasters' });
      // A table that is not of such an Item is another one, whoever published it.
      await publish('another table', { ...deliverable(['apart']), tables: [table()] });
      expect(await runs.resultOf('rasters')).toBeUndefined();
      await publish('fifth', { ...standing('rasters'), tables });
      expect(await runs.resultOf('rasters')).toMatchObject({ id: 'rasters' });
      await publish('raster anew', deliverable(['raster']));
      expect(await runs.resultOf('rasters')).toBeUndefined();
    });
  });
}
