import type { Deliverable } from '@headwater/core';
import type { PlaceChange, UnitId, UnitQuery } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import { bundle, claimed, deliverable, type Get, newRun, parts, square } from './sample.ts';

const names = { state: 'Jharkhand', district: 'West Singhbhum', tehsil: 'Chaibasa' };

/**
 * Test cases of active places. Places of the boundary folder are active immediately. Imported places are active
 * after their first publication. An operator's setting overrides both rules.
 */
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

    it('an imported place becomes active, with its state and district, when a result for it is published', async () => {
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
      // Another import of equal or changed boundaries keeps places active.
      await importAll({ ...names, geometry: parts }, { ...names, geometry: square(77, 12) });
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);
    });

    it('lists the units of all levels by page, with the numbers of units and layers below them', async () => {
      await importAll(
        { ...names, geometry: parts },
        { ...names, tehsil: 'Manoharpur', geometry: square(77, 12) },
        { ...names, district: 'Ranchi', tehsil: 'Bundu', geometry: square(78, 12) },
        { state: 'Assam', district: 'Cachar', tehsil: 'Silchar', geometry: square(85, 24) },
      );
      const chaibasa = (
        await get().lookups.tehsilNamed({ state: 'jharkhand', district: 'west_singhbhum', tehsil: 'chaibasa' })
      )?.tehsilId;
      await importAll({ ...names, mws: [{ uid: '12_1', geometry: square(77, 12) }] });
      await publish('first', ofTehsil(chaibasa ?? 0, 'first'));
      const { lookups } = get();
      const page = async (query: Partial<UnitQuery> = {}): Promise<readonly string[]> => {
        const { units, total } = await lookups.listUnits({ limit: 20, offset: 0, ...query });
        return [...units.map(({ level, name }) => `${level} ${name}`), String(total)];
      };
      const all = [
        'state Assam',
        'district Cachar',
        'tehsil Silchar',
        'state Jharkhand',
        'district Ranchi',
        'tehsil Bundu',
        'district West Singhbhum',
        'tehsil Chaibasa',
        'tehsil Manoharpur',
      ];
      expect(await page()).toEqual([...all, '9']);
      expect(await page({ isDescending: true })).toEqual([...all.toReversed(), '9']);
      expect(await page({ limit: 2, offset: 3 })).toEqual(['state Jharkhand', 'district Ranchi', '9']);
      expect(await page({ limit: 2, offset: 30 })).toEqual(['9']);
      expect(await page({ order: 'name', limit: 3 })).toEqual(['state Assam', 'tehsil Bundu', 'district Cachar', '9']);
      expect(await page({ level: 'district' })).toEqual([
        'district Cachar',
        'district Ranchi',
        'district West Singhbhum',
        '3',
      ]);
      expect(await page({ isActive: true })).toEqual([
        'state Jharkhand',
        'district West Singhbhum',
        'tehsil Chaibasa',
        '3',
      ]);
      expect(await page({ slug: 'jharkhand_ranchi' })).toEqual(['district Ranchi', 'tehsil Bundu', '2']);
      for (const slug of ['%', "'", '_%', '\0']) expect(await page({ slug })).toEqual(['0']);
      const { units } = await lookups.listUnits({ slug: 'west', limit: 9, offset: 0 });
      const { id: stateId, district: districtId } = { ...(units[0]?.state ?? { id: 0 }), district: units[0]?.id };
      const above = { state: { id: stateId, name: 'Jharkhand' }, district: { id: districtId, name: 'West Singhbhum' } };
      expect(units).toEqual([
        {
          level: 'district',
          id: districtId,
          name: 'West Singhbhum',
          isActive: true,
          ...above,
          tehsils: 2,
          mws: null,
          villages: null,
          layers: null,
          isImported: false,
        },
        {
          level: 'tehsil',
          id: chaibasa,
          name: 'Chaibasa',
          isActive: true,
          ...above,
          tehsils: null,
          mws: 1,
          villages: 0,
          layers: 1,
          isImported: true,
        },
        {
          level: 'tehsil',
          id: units[2]?.id,
          name: 'Manoharpur',
          isActive: false,
          ...above,
          tehsils: null,
          mws: 0,
          villages: 0,
          layers: 0,
          isImported: true,
        },
      ]);
      expect((await lookups.listUnits({ unit: { level: 'state', id: stateId }, limit: 9, offset: 0 })).units).toEqual([
        {
          level: 'state',
          id: stateId,
          name: 'Jharkhand',
          isActive: true,
          state: above.state,
          district: null,
          tehsils: 3,
          mws: null,
          villages: null,
          layers: null,
          isImported: false,
        },
      ]);
      for (const id of [0, 2 ** 31, 1.5]) expect(await page({ unit: { level: 'tehsil', id } })).toEqual(['0']);
      expect(await page({ below: { level: 'state', id: stateId } })).toEqual([...all.slice(4), '5']);
      const district = { level: 'district', id: districtId ?? 0 } as const;
      expect(await page({ below: district })).toEqual(['tehsil Chaibasa', 'tehsil Manoharpur', '2']);
      expect(await page({ below: district, isActive: true })).toEqual(['tehsil Chaibasa', '1']);
      expect(await page({ below: { level: 'tehsil', id: chaibasa ?? 0 } })).toEqual(['0']);
      for (const id of [0, 2 ** 31, 1.5]) expect(await page({ below: { level: 'state', id } })).toEqual(['0']);
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
      // The name of the layer belongs to the first tehsil.
      await expect(publish('second', ofTehsil(other, 'first'))).rejects.toMatchObject({ code: 'conflict' });
      expect(await listed()).toEqual([names.state, names.district, names.tehsil]);
    });

    it('a place that an operator deactivated stays inactive after publications, until the operator activates it', async () => {
      await importAll({ ...names, geometry: parts });
      const { places } = get();
      const { tehsil, district, state } = await unitsOf();
      // The place is inactive already, but the operator's setting is stored.
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

    it('places of folders are active, even if they were imported before', async () => {
      await importAll({ ...names, geometry: parts }, { ...names, tehsil: 'Manoharpur', geometry: parts });
      const saved = await get().places.saveBundle(bundle({ tehsil: 'Jagannathpur' }));
      expect([saved.state, saved.district, saved.tehsil].map(({ isActive }) => isActive)).toEqual([true, true, true]);
      expect(await listed()).toEqual([names.state, names.district, 'Jagannathpur']);
      expect((await get().places.saveBundle(bundle())).tehsil.isActive).toBe(true);
      expect(await listed()).toEqual([names.state, names.district, names.tehsil, 'Jagannathpur']);
      // An import does not deactivate a place of the boundary folder.
      await importAll({ ...names, tehsil: 'Jagannathpur', geometry: square(77, 12) });
      expect(await listed()).toContain('Jagannathpur');
    });
  });
}
