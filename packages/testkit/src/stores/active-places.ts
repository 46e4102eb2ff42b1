import type { Deliverable } from '@headwater/core';
import type { PlaceChange, UnitId } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import { bundle, claimed, deliverable, type Get, newRun, parts, square } from './sample.ts';

const names = { state: 'Jharkhand', district: 'West Singhbhum', tehsil: 'Chaibasa' };

/** Cases of active places: those of folders at once, imported ones after the first publication. The operator's setting always wins. */
export function activePlaceCases(get: Get): void {
  describe('active places', () => {
    const importAll = async (...changes: readonly PlaceChange[]): Promise<void> => {
      await get().places.saveChanges(async function* () {
        yield* changes;
      });
    };
    const unitsOf = async (tehsil = names.tehsil): Promise<Record<UnitId['level'], number>> => {
      const { places } = get();
      const [state] = await places.states();
      const [district] = await places.districts(state?.id ?? 0);
      const tehsils = await places.tehsilUnits(district?.id ?? 0);
      const found = tehsils.find(({ name }) => name === tehsil);
      return { state: state?.id ?? 0, district: district?.id ?? 0, tehsil: found?.id ?? 0 };
    };
    const listed = async (): Promise<readonly string[]> =>
      (await get().lookups.activeLocations()).flatMap(({ name, districts }) => [
        name,
        ...districts.flatMap((district) => [district.name, ...district.tehsils.map((tehsil) => tehsil.name)]),
      ]);
    const ofTehsil = (tehsilId: number, note: string): Deliverable => {
      const { layers, ...rest } = deliverable([`${note}_item`], note);
      return { ...rest, layers: layers.map((layer) => ({ ...layer, layerName: note, tehsilId })) };
    };
    const publish = async (note: string, published: Deliverable): Promise<unknown> => {
      const { runs } = get();
      await runs.enqueue(newRun(note));
      const { id, token } = await claimed(runs);
      return await runs.publish(id, token, published);
    };

    it('an imported place becomes active, with its state and district, when something of it is published', async () => {
      await importAll({ ...names, geometry: parts }, { ...names, tehsil: 'Manoharpur', geometry: square(77, 12) });
      expect(await listed()).toEqual([]);
      const { tehsil, district, state } = await unitsOf();
      expect(await get().places.placeOfTehsil(tehsil)).toMatchObject({
        state: { id: state, isActive: false },
        district: { id: district, isActive: false },
        tehsil: { isActive: false },
      });
      expect(await publish('first', ofTehsil(tehsil, 'first'))).toBe('ok');
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);
      // Importing the same or changed boundaries again does not change which places are active.
      await importAll({ ...names, geometry: parts }, { ...names, geometry: square(77, 12) });
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);
    });

    it('a table or a series activates its tehsil, and a publication without a tehsil activates none', async () => {
      await importAll({ ...names, geometry: parts }, { ...names, tehsil: 'Manoharpur', geometry: parts });
      const nothing = { items: [], layers: [], timings: {} };
      expect(await publish('nothing', nothing)).toBe('ok');
      expect(await listed()).toEqual([]);
      const { tehsil: tehsilId } = await unitsOf();
      const columns = [{ name: 'uid', type: 'text', description: 'Micro-watershed' }] as const;
      const table = { name: 'rain', tehsilId, key: 'uid', columns, rows: [{ uid: '12_9' }] };
      expect(await publish('table', { ...nothing, tables: [table] })).toBe('ok');
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);
      const series = {
        name: 'rain',
        tehsilId: (await unitsOf('Manoharpur')).tehsil,
        description: 'Rain',
        dates: ['2021-07-01'],
        values: { '12_9': [1] },
      };
      expect(await publish('series', { ...nothing, series: [series] })).toBe('ok');
      expect(await listed()).toEqual([names.state, names.district, names.tehsil, 'Manoharpur']);
    });

    it('a refused publication activates no place', async () => {
      await importAll({ ...names, geometry: parts }, { ...names, tehsil: 'Manoharpur', geometry: parts });
      await publish('first', ofTehsil((await unitsOf()).tehsil, 'first'));
      const { tehsil: other } = await unitsOf('Manoharpur');
      // Its layer name belongs to the first tehsil.
      await expect(publish('second', ofTehsil(other, 'first'))).rejects.toMatchObject({ code: 'conflict' });
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);
    });

    it('a place that an operator deactivated stays inactive after publications, until the operator activates it', async () => {
      await importAll({ ...names, geometry: parts });
      const { places } = get();
      const { tehsil, district, state } = await unitsOf();
      // It is already inactive, and this setting is stored too.
      expect(await places.setActive({ level: 'tehsil', id: tehsil }, false)).toBe('unchanged');
      await publish('first', ofTehsil(tehsil, 'first'));
      expect(await listed()).toEqual([names.state, names.district]);
      expect(await places.setActive({ level: 'tehsil', id: tehsil }, true)).toBe('changed');
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);

      await places.setActive({ level: 'district', id: district }, false);
      await publish('second', ofTehsil(tehsil, 'second'));
      await places.saveBundle(bundle());
      expect(await listed()).toEqual([names.state]);
      expect(await places.placeOfTehsil(tehsil)).toMatchObject({
        state: { id: state, isActive: true },
        tehsil: { isActive: true },
      });
      expect(await places.setActive({ level: 'district', id: district }, true)).toBe('changed');
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);
    });

    it('places of folders are active, also those that were imported before', async () => {
      await importAll({ ...names, geometry: parts }, { ...names, tehsil: 'Manoharpur', geometry: parts });
      const saved = await get().places.saveBundle(bundle({ tehsil: 'Jagannathpur' }));
      expect([saved.state, saved.district, saved.tehsil].map(({ isActive }) => isActive)).toEqual([true, true, true]);
      expect(await listed()).toEqual([names.state, names.district, 'Jagannathpur']);
      expect((await get().places.saveBundle(bundle())).tehsil.isActive).toBe(true);
      expect(await listed()).toEqual([names.state, names.district, names.tehsil, 'Jagannathpur']);
      // An import of a place of a folder does not deactivate it.
      await importAll({ ...names, tehsil: 'Jagannathpur', geometry: square(77, 12) });
      expect(await listed()).toContain('Jagannathpur');
    });
  });
}
