import type { PlaceChange } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { bundle, holed, parts, square } from './sample.ts';

const names = { state: 'Jharkhand', district: 'West Singhbhum', tehsil: 'Chaibasa' };
const as = (...changes: readonly PlaceChange[]) =>
  async function* (): AsyncGenerator<PlaceChange> {
    yield* changes;
  };

/** Test cases of changes of places by an import. */
export function placeChangeCases(get: Get): void {
  describe('changes of places by an import', () => {
    it('create tehsils, replace boundaries and return counts; the same import again changes nothing', async () => {
      const { places } = get();
      const changes = as({ ...names, geometry: holed }, { ...names, tehsil: 'Manoharpur', geometry: parts });
      expect(await places.saveChanges(changes)).toEqual({ stored: 2, unchanged: 0, removed: 0 });
      expect(await places.saveChanges(changes)).toEqual({ stored: 0, unchanged: 2, removed: 0 });
      const again = as({ ...names, tehsil: 'CHAIBASA', geometry: parts });
      expect(await places.saveChanges(again)).toEqual({ stored: 1, unchanged: 0, removed: 0 });
      const [state] = await places.states();
      const [district] = await places.districts(state?.id ?? 0);
      const tehsils = await places.tehsils(district?.id ?? 0);
      expect(tehsils.map(({ name, geometry }) => [name, geometry])).toEqual([
        ['Chaibasa', parts],
        ['Manoharpur', parts],
      ]);
      expect(await places.importedTehsils()).toEqual(tehsils.map(({ id }) => id));
    });

    it('replace micro-watersheds and villages independently; with keepsOthers, units that are not in the import stay', async () => {
      const { places } = get();
      const { tehsil } = await places.saveBundle(bundle());
      expect(await places.importedTehsils()).toEqual([]);
      const mws = [
        { uid: '12_100174', geometry: holed },
        { uid: '12_9', geometry: parts },
      ];
      const uids = async (): Promise<string[]> => (await places.mwsOf(tehsil.id)).map(({ uid }) => uid);
      expect(await places.saveChanges(as({ ...names, mws, keepsOthers: true }))).toEqual({
        stored: 1,
        unchanged: 1,
        removed: 0,
      });
      expect(await uids()).toEqual(['12_100174', '12_100175', '12_9']);
      expect(await places.saveChanges(as({ ...names, mws }))).toEqual({ stored: 0, unchanged: 2, removed: 1 });
      expect(await uids()).toEqual(['12_100174', '12_9']);
      expect((await places.mwsOf(tehsil.id)).map(({ geometry }) => geometry)).toEqual([holed, parts]);
      expect((await places.placeOfTehsil(tehsil.id))?.tehsil.geometry).toEqual(parts);
      expect(await places.importedTehsils()).toEqual([tehsil.id]);

      const villages = [{ id: 641_000, name: 'Tantnagar', geometry: holed }];
      const villageNames = async (): Promise<string[]> => (await places.villagesOf(tehsil.id)).map(({ name }) => name);
      expect(await places.saveChanges(as({ ...names, villages, keepsOthers: true }))).toEqual({
        stored: 1,
        unchanged: 0,
        removed: 0,
      });
      expect(await villageNames()).toEqual(['Tantnagar', 'none']);
      expect(await places.saveChanges(as({ ...names, villages }))).toEqual({ stored: 0, unchanged: 1, removed: 1 });
      expect(await villageNames()).toEqual(['Tantnagar']);
      expect((await places.villagesOf(tehsil.id))[0]?.geometry).toEqual(holed);
      expect(await uids()).toHaveLength(2);
    });

    it('stay if a later bundle has no micro-watersheds or villages; a bundle with such units replaces the imported units', async () => {
      const { places } = get();
      const bare = bundle({ mws: [], villages: [] });
      const { tehsil } = await places.saveBundle(bundle());
      const below = async (): Promise<unknown> => [
        (await places.mwsOf(tehsil.id)).map(({ uid }) => uid),
        (await places.villagesOf(tehsil.id)).map(({ name }) => name),
      ];
      await places.saveBundle(bare);
      expect(await below()).toEqual([[], []]);
      const mws = [{ uid: '12_9', geometry: parts }];
      const villages = [{ id: 641_000, name: 'Tantnagar', geometry: holed }];
      await places.saveChanges(as({ ...names, mws, villages }));
      const saved = await places.saveBundle({ ...bare, geometry: holed });
      expect(saved.tehsil).toMatchObject({ id: tehsil.id, geometry: holed });
      expect(await below()).toEqual([['12_9'], ['Tantnagar']]);
      await places.saveBundle({ ...bare, mws: [{ uid: '12_7', geometry: holed }] });
      expect(await below()).toEqual([['12_7'], ['Tantnagar']]);
      await places.saveBundle({ ...bare, villages: [{ id: 7, name: 'Gaon', geometry: holed }] });
      expect(await below()).toEqual([['12_7'], ['Gaon']]);
    });

    it('are not applied in part if the source fails, the tehsil is unknown or a uid is repeated', async () => {
      const { places } = get();
      const { tehsil } = await places.saveBundle(bundle());
      const first = { ...names, mws: [{ uid: '12_9', geometry: square(70, 10) }] };
      const added = { ...names, tehsil: 'Manoharpur', geometry: holed };
      const failing = async function* (): AsyncGenerator<PlaceChange> {
        yield* [first, added];
        throw new Error('the file ended');
      };
      await expect(places.saveChanges(failing)).rejects.toThrow('the file ended');
      const elsewhere = as(first, added, { ...names, tehsil: 'Elsewhere', mws: [] });
      await expect(places.saveChanges(elsewhere)).rejects.toMatchObject({
        code: 'validation',
        fields: { tehsil: [{}] },
      });
      const twice = [square(70, 10), holed].map((geometry) => ({ uid: '12_9', geometry }));
      await expect(places.saveChanges(as(first, added, { ...names, mws: twice }))).rejects.toMatchObject({
        code: 'validation',
      });
      expect((await places.mwsOf(tehsil.id)).map(({ geometry }) => geometry)).toEqual([holed, parts, square(77, 12)]);
      expect(await places.tehsilUnits(tehsil.districtId)).toHaveLength(1);
      expect(await places.importedTehsils()).toEqual([]);
    });

    it('are only counted in a dry run', async () => {
      const { places } = get();
      const changes = as({ ...names, geometry: holed, mws: [{ uid: '1', geometry: holed }], villages: [] });
      expect(await places.saveChanges(changes, { isTrial: true })).toEqual({ stored: 2, unchanged: 0, removed: 0 });
      expect([await places.states(), await places.importedTehsils()]).toEqual([[], []]);
      const { tehsil } = await places.saveBundle(bundle());
      expect(await places.saveChanges(changes, { isTrial: true })).toEqual({ stored: 2, unchanged: 0, removed: 5 });
      expect(await places.mwsOf(tehsil.id)).toHaveLength(3);
    });

    it('a removed tehsil is no longer in the list of imported tehsils, and its empty state is removed', async () => {
      const { places } = get();
      await places.saveChanges(as({ ...names, geometry: holed }));
      for (const id of await places.importedTehsils()) await places.removeTehsil(id);
      expect([await places.importedTehsils(), await places.states()]).toEqual([[], []]);
    });
  });
}
