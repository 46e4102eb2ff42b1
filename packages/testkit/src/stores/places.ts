import type { Village } from '@headwater/core';
import { boxOf, sphericalAreaHa } from '@headwater/core/geo';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { bundle, holed, parts, square } from './sample.ts';

/** The centroid of this boundary is far from the middle of its box. */
const tall = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [70, 22],
      [72, 22],
      [72, 23],
      [70.5, 23],
      [70.5, 27],
      [70, 27],
      [70, 22],
    ],
  ],
};

/** Test cases of places, units below tehsils, and datasets. */
export function placeCases(get: Get): void {
  describe('places', () => {
    it('stores geometries exactly, with holes and parts', async () => {
      const { places } = get();
      const place = await places.saveBundle(bundle());
      expect(place.tehsil.geometry).toEqual(parts);
      const mws = await places.mwsOf(place.tehsil.id);
      expect(mws.map(({ uid }) => uid)).toEqual(['12_100174', '12_100175', '12_9']);
      expect(mws.map(({ geometry }) => geometry)).toEqual([holed, parts, square(77, 12)]);
      expect(mws[0]?.tehsilId).toBe(place.tehsil.id);
    });

    it('finds units by slug, and nothing below an unknown unit', async () => {
      const { places } = get();
      const { state, district, tehsil } = await places.saveBundle(bundle());
      expect(await places.findState('jharkhand')).toEqual(state);
      expect(await places.findDistrict(state.id, 'west_singhbhum')).toEqual(district);
      expect(await places.findTehsil(district.id, 'chaibasa')).toEqual(tehsil);
      expect(await places.findState('Jharkhand')).toBeUndefined();
      expect(await places.findDistrict(state.id + 1, 'west_singhbhum')).toBeUndefined();
      expect(await places.findTehsil(district.id, 'elsewhere')).toBeUndefined();
      expect(await places.placeOfTehsil(tehsil.id)).toEqual({ state, district, tehsil });
      expect(await places.placeOfTehsil(tehsil.id + 1)).toBeUndefined();
    });

    it('lists the tehsils of a district without their boundaries', async () => {
      const { places } = get();
      const { district } = await places.saveBundle(bundle({ tehsil: 'Manoharpur' }));
      await places.saveBundle(bundle());
      const whole = await places.tehsils(district.id);
      const units = await places.tehsilUnits(district.id);
      expect(units).toEqual(whole.map(({ geometry: _none, ...unit }) => unit));
      expect(units.map((unit) => Object.keys(unit).includes('geometry'))).toEqual([false, false]);
      expect(await places.tehsilUnits(district.id + 1)).toEqual([]);
    });

    it('returns the names of many tehsils, and the extents of the tehsils of a district or a state', async () => {
      const { places } = get();
      const { state, district, tehsil } = await places.saveBundle(bundle({ tehsil: 'Manoharpur' }));
      const bare = await places.saveBundle(bundle({ geometry: null }));
      const far = await places.saveBundle(bundle({ district: 'Bokaro', geometry: square(86, 24) }));
      const large = await places.saveBundle(bundle({ state: 'Bihar', geometry: tall }));
      const names = [tehsil.id, far.tehsil.id].map((tehsilId) => ({
        tehsilId,
        state: state.name,
        district: tehsilId === tehsil.id ? district.name : 'Bokaro',
        tehsil: tehsilId === tehsil.id ? 'Manoharpur' : far.tehsil.name,
      }));
      const found = await places.namesOf([tehsil.id, tehsil.id, far.tehsil.id, 9_999, 2 ** 40, 0.5]);
      expect(found.toSorted((a, b) => a.tehsilId - b.tehsilId)).toEqual(names);
      expect(await places.namesOf([])).toEqual([]);
      const whole = await places.tehsilsWithin({ level: 'state', id: state.id });
      expect(whole.map(({ tehsilId }) => tehsilId)).toEqual([far.tehsil.id, bare.tehsil.id, tehsil.id]);
      expect(whole[0]).toEqual({ ...names[1], extent: expect.anything() });
      expect(Object.keys(whole[1] ?? {})).not.toContain('extent');
      const { box, km2 = 0 } = whole[0]?.extent ?? {};
      expect(box).toEqual(boxOf([square(86, 24)]));
      expect(km2 / (sphericalAreaHa(square(86, 24)) / 100)).toBeCloseTo(1, 2);
      expect(whole[2]?.extent?.box).toEqual(boxOf([parts]));
      const [other] = await places.tehsilsWithin({ level: 'state', id: large.state.id });
      expect(Math.abs((other?.extent?.km2 ?? 0) / (sphericalAreaHa(tall) / 100) - 1)).toBeLessThan(0.002);
      expect(await places.tehsilsWithin({ level: 'district', id: district.id })).toEqual(whole.slice(1));
      for (const id of [9_999, 2 ** 40]) expect(await places.tehsilsWithin({ level: 'state', id })).toEqual([]);
    });

    it('saving the same bundle again changes nothing; names keep their first spelling', async () => {
      const { places } = get();
      const first = await places.saveBundle(bundle());
      const again = await places.saveBundle(
        bundle({ state: 'JHARKHAND', district: 'west singhbhum', tehsil: 'CHAIBASA' }),
      );
      expect(again).toEqual(first);
      expect(await places.states()).toEqual([first.state]);
      expect(await places.districts(first.state.id)).toEqual([first.district]);
      expect(await places.tehsils(first.district.id)).toEqual([first.tehsil]);
      expect(await places.mwsOf(first.tehsil.id)).toHaveLength(3);
      expect(await places.villagesOf(first.tehsil.id)).toHaveLength(2);
    });

    it('a later bundle replaces the boundary of its tehsil and everything below the tehsil, and nothing else', async () => {
      const { places } = get();
      const other = await places.saveBundle(bundle({ tehsil: 'Manoharpur' }));
      const { tehsil } = await places.saveBundle(bundle());
      await places.saveBundle(bundle({ geometry: null, mws: [{ uid: '12_7', geometry: holed }], villages: [] }));
      expect((await places.placeOfTehsil(tehsil.id))?.tehsil.geometry).toBeNull();
      expect((await places.mwsOf(tehsil.id)).map(({ uid }) => uid)).toEqual(['12_7']);
      expect(await places.villagesOf(tehsil.id)).toEqual([]);
      expect(await places.mwsOf(other.tehsil.id)).toHaveLength(3);
    });

    it('removes a tehsil with the units below it and empty units above it; ids are not reused', async () => {
      const { places } = get();
      const { state, district, tehsil } = await places.saveBundle(bundle());
      const sibling = await places.saveBundle(bundle({ tehsil: 'Manoharpur' }));
      const far = await places.saveBundle(bundle({ district: 'Ranchi', tehsil: 'Bundu' }));
      await places.removeTehsil(tehsil.id);
      expect(await places.placeOfTehsil(tehsil.id)).toBeUndefined();
      expect(await places.mwsOf(tehsil.id)).toEqual([]);
      expect(await places.villagesOf(tehsil.id)).toEqual([]);
      expect(await places.tehsils(district.id)).toEqual([sibling.tehsil]);
      expect(await places.mwsOf(sibling.tehsil.id)).toHaveLength(3);
      await places.removeTehsil(sibling.tehsil.id);
      expect(await places.districts(state.id)).toEqual([far.district]);
      expect((await places.placeOfTehsil(far.tehsil.id))?.tehsil).toEqual(far.tehsil);
      await places.removeTehsil(far.tehsil.id);
      expect(await places.states()).toEqual([]);
      for (const id of [tehsil.id, 2 ** 40]) await places.removeTehsil(id);
      const again = await places.saveBundle(bundle());
      expect([tehsil.id, sibling.tehsil.id, far.tehsil.id]).not.toContain(again.tehsil.id);
      expect(await places.mwsOf(again.tehsil.id)).toHaveLength(3);
    });

    it('lists other tehsils whose names, joined from the district or from the state on, give the same text', async () => {
      const { places } = get();
      const save = async (state: string, district: string, tehsil: string) =>
        (await places.saveBundle(bundle({ state, district, tehsil }))).tehsil.id;
      const bihar = await save('Bihar', 'Aurangabad', 'Aurangabad');
      expect(await places.namesakesOf(bihar)).toEqual([]);
      const maharashtra = await save('Maharashtra', 'AURANGABAD', 'aurangabad');
      await save('Maharashtra', 'Aurangabad', 'Paithan');
      await save('Bihar', 'Aurangabad', 'Obra');
      const names = { state: 'Maharashtra', district: 'AURANGABAD', tehsil: 'aurangabad' };
      expect(await places.namesakesOf(bihar)).toEqual([{ tehsilId: maharashtra, ...names }]);
      expect((await places.namesakesOf(maharashtra)).map(({ state }) => state)).toEqual(['Bihar']);
      const [first, second, third] = [
        await save('Uttar', 'Pradesh', 'West End'),
        await save('Uttar Pradesh', 'West', 'End'),
        await save('Elsewhere', 'Pradesh West', 'End'),
      ];
      const idsOf = async (id: number) => (await places.namesakesOf(id)).map(({ tehsilId }) => tehsilId);
      expect(await Promise.all([first, second, third].map(idsOf))).toEqual([[second, third], [first], [first]]);
      expect(await places.namesakesOf(third + 1)).toEqual([]);
    });

    it('stores villages with their ids, also id 0', async () => {
      const { places } = get();
      const { tehsil } = await places.saveBundle(bundle());
      const byId = (a: Village, b: Village): number => a.id - b.id;
      expect([...(await places.villagesOf(tehsil.id))].sort(byId)).toEqual([
        { id: 0, name: 'none', tehsilId: tehsil.id, geometry: holed },
        { id: 641_000, name: 'Tantnagar', tehsilId: tehsil.id, geometry: square(77, 12) },
      ]);
    });

    it('eight concurrent loads of one bundle create one tehsil', async () => {
      const { places } = get();
      const saved = await Promise.all(Array.from({ length: 8 }, () => places.saveBundle(bundle())));
      expect(new Set(saved.map(({ tehsil }) => tehsil.id)).size).toBe(1);
      expect(await places.states()).toHaveLength(1);
      expect(await places.mwsOf(saved[0]?.tehsil.id ?? 0)).toHaveLength(3);
    });

    it('a district has another id than a district with the same name in another state', async () => {
      const { places } = get();
      const bihar = await places.saveBundle(bundle({ state: 'Bihar', district: 'Aurangabad' }));
      const maharashtra = await places.saveBundle(bundle({ state: 'Maharashtra', district: 'Aurangabad' }));
      expect(bihar.district.id).not.toBe(maharashtra.district.id);
      expect((await places.states()).map(({ name }) => name).sort()).toEqual(['Bihar', 'Maharashtra']);
    });
  });

  describe('datasets', () => {
    it('seeding adds datasets with new names and leaves all other datasets unchanged', async () => {
      const { places } = get();
      const lulc = { name: 'LULC', layerType: 'raster', workspace: 'LULC_level_3', styleName: 'lulc' } as const;
      const vector = { name: 'LULC vector', layerType: 'vector', workspace: 'lulc_vector', styleName: 'v' } as const;
      await places.seedDatasets([lulc]);
      await places.seedDatasets([{ ...lulc, workspace: 'other' }, vector]);
      const datasets = await places.datasets();
      expect(datasets.map(({ id: _id, ...rest }) => rest)).toEqual([lulc, vector]);
      expect(new Set(datasets.map(({ id }) => id)).size).toBe(2);
    });
  });
}
