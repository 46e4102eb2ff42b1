import type { LonLat } from '@headwater/core/ports';
import { featureGeometry, type Mws, type PlaceBundle, type Village } from '@headwater/core';
import type { Polygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import { bundle, claimed, deliverable, holed, newRun, square, type Get } from './sample.ts';

const at = (longitude: number, latitude: number): LonLat => ({ longitude, latitude });

/** One of two adjacent tehsils. If EAST is saved before WEST, the orders by id and by slug differ. */
const EAST = { state: 'Assam', district: 'Cachar', tehsil: 'Silchar', geometry: square(85.5, 24) };
const WEST = { state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur', geometry: square(85, 24) };

/** Returns the polygon with all rings in the opposite direction. */
const turned = ({ coordinates }: Polygon): Polygon => ({
  type: 'Polygon',
  coordinates: coordinates.map((ring) => ring.toReversed()),
});

const parsed = (units: readonly { readonly geometry: string }[]) =>
  units.map((unit): unknown => ({ ...unit, geometry: JSON.parse(unit.geometry) as unknown }));

/** Returns units as `mwsAfter` and `villagesAfter` must return them, but with parsed geometries. */
const expectedOf = (units: readonly (Mws | Village)[], version: string) =>
  units.map(({ tehsilId: _tehsilId, geometry, ...unit }) => ({
    ...unit,
    geometry: featureGeometry(geometry),
    version,
  }));

/** Time of a change: UTC, with three or six decimals of a second. */
const VERSION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}|\d{6})Z$/;

/** Test cases of finding places by position, name and tehsil. */
export function lookupCases(get: Get): void {
  describe('lookups', () => {
    const save = async (rest: Partial<PlaceBundle>): Promise<number> =>
      (await get().places.saveBundle(bundle(rest))).tehsil.id;
    const tehsilAt = async (longitude: number, latitude: number): Promise<string | undefined> =>
      (await get().lookups.tehsilAt(at(longitude, latitude)))?.tehsil;

    it('finds the tehsil that covers a point, with its names', async () => {
      await save(EAST);
      const tehsilId = await save(WEST);
      expect(await get().lookups.tehsilAt(at(85.25, 24.25))).toEqual({
        tehsilId,
        state: 'Assam',
        district: 'Cachar',
        tehsil: 'Lakhipur',
      });
      expect(await tehsilAt(85.75, 24.25)).toBe('Silchar');
      expect(await tehsilAt(84.999_999, 24.25)).toBeUndefined();
      expect(await tehsilAt(24.25, 85.25)).toBeUndefined();
    });

    it('finds states, districts and tehsils by a part of their names, the closest names first', async () => {
      const at = (state: string, district: string, tehsil: string): Promise<number> =>
        save({ state, district, tehsil });
      await at('Bihar', 'Rampur', 'Rampur');
      await at('Assam', 'Cachar', 'Sitarampur');
      await at('Assam', 'Rampur Hat', 'Old');
      await at('Zeta', 'Far', 'Rampur');
      const found = async (slug: string, limit = 9, offset = 0): Promise<readonly string[]> =>
        (await get().lookups.unitsNamed(slug, { limit, offset })).map((unit) => Object.values(unit).join('/'));
      const all = [
        'Bihar/Rampur/',
        'Bihar/Rampur/Rampur',
        'Zeta/Far/Rampur',
        'Assam/Rampur Hat/',
        'Assam/Cachar/Sitarampur',
      ];
      expect(await found('rampur')).toEqual(all);
      expect([...(await found('rampur', 2)), ...(await found('rampur', 2, 2))]).toEqual(all.slice(0, 4));
      expect(await get().lookups.unitsNamed('assam', { limit: 9, offset: 0 })).toEqual([
        { state: 'Assam', district: null, tehsil: null },
      ]);
      for (const none of ['', '%', "'", 'ram%', '\0']) expect(await found(none)).toEqual([]);
    });

    it('a border belongs to its tehsil; a shared border belongs to the first tehsil by slug', async () => {
      await save(EAST);
      await save(WEST);
      expect(await tehsilAt(85, 24)).toBe('Lakhipur');
      expect(await tehsilAt(85.5, 24.25)).toBe('Lakhipur');
      expect(await tehsilAt(85.5, 24.5)).toBe('Lakhipur');
      expect(await tehsilAt(86, 24.125)).toBe('Silchar');
      await save({ ...EAST, state: 'Aarambh' });
      expect(await get().lookups.tehsilAt(at(85.5, 24.25))).toMatchObject({ state: 'Aarambh', tehsil: 'Silchar' });
    });

    it('a hole is outside of its tehsil, the border of the hole is inside; a tehsil without a boundary covers no point', async () => {
      await save({ geometry: holed });
      await save({ tehsil: 'Unbounded', geometry: null });
      expect(await tehsilAt(77.31, 2)).toBeUndefined();
      expect(await tehsilAt(77.3, 1.5)).toBe('Chaibasa');
      expect(await tehsilAt(77.25, 1.5)).toBe('Chaibasa');
    });

    it.each([NaN, Infinity, -Infinity, 1e308])('finds nothing at %d', async (value) => {
      const id = await save(WEST);
      expect(await tehsilAt(value, 24)).toBeUndefined();
      expect(await tehsilAt(85, value)).toBeUndefined();
      expect(await get().lookups.mwsAt(id, at(value, 24))).toBeUndefined();
    });

    it('finds the micro-watershed of a point; on a shared border it finds the first micro-watershed by uid', async () => {
      const mws = [
        { uid: '12_9', geometry: square(85, 24) },
        { uid: '12_10', geometry: square(85.5, 24) },
      ];
      const id = await save({ ...WEST, mws });
      await save({ ...EAST, mws: [{ uid: '12_1', geometry: square(85, 24) }] });
      const mwsAt = async (longitude: number, latitude: number, tehsilId = id): Promise<string | undefined> =>
        await get().lookups.mwsAt(tehsilId, at(longitude, latitude));
      expect(await mwsAt(85.25, 24.25)).toBe('12_9');
      expect(await mwsAt(85.5, 24.25)).toBe('12_10');
      expect(await mwsAt(84, 24)).toBeUndefined();
      expect(await mwsAt(85.25, 24.25, 2 ** 40)).toBeUndefined();
    });

    it('lists the uids of the micro-watersheds of a tehsil, and one micro-watershed with its neighbours', async () => {
      const { lookups } = get();
      const mws = [
        { uid: '12_9', geometry: square(85, 24) },
        { uid: '12_10', geometry: square(85.5, 24.5) },
        { uid: '12_11', geometry: square(86.5, 24) },
      ];
      const id = await save({ ...WEST, mws });
      await save({ ...EAST, mws: [{ uid: '12_1', geometry: square(85, 24) }] });
      expect(await lookups.mwsUids(id)).toEqual(['12_10', '12_11', '12_9']);
      expect(await lookups.mwsAround(id, '12_9')).toEqual([
        { uid: '12_10', tehsilId: id, geometry: square(85.5, 24.5) },
        { uid: '12_9', tehsilId: id, geometry: square(85, 24) },
      ]);
      expect((await lookups.mwsAround(id, '12_11')).map(({ uid }) => uid)).toEqual(['12_11']);
      for (const unknown of ['12_1', '', "12_9' or 1=1", '12_9\0'])
        expect(await lookups.mwsAround(id, unknown)).toEqual([]);
      expect([await lookups.mwsUids(2 ** 40), await lookups.mwsAround(2 ** 40, '12_9')]).toEqual([[], []]);
    });

    it('the version of the micro-watersheds of a tehsil is a later time if a uid or an outline changes', async () => {
      const { lookups } = get();
      const mws = [
        { uid: '12_9', geometry: square(85, 24) },
        { uid: '12_10', geometry: square(85.5, 24) },
      ];
      const id = await save({ ...WEST, mws });
      const versions = [await lookups.mwsVersion(id)];
      await save({ ...EAST, mws: [{ uid: '12_1', geometry: square(85, 24) }] });
      expect(await lookups.mwsVersion(id)).toBe(versions[0]);
      const [first = { uid: '', geometry: square(0, 0) }] = mws;
      for (const changed of [[{ ...first, geometry: square(84, 24) }, ...mws.slice(1)], mws, [first], []]) {
        await save({ ...WEST, mws: changed });
        versions.push(await lookups.mwsVersion(id));
      }
      const times = versions.slice(0, -1);
      for (const time of times) expect(time).toMatch(VERSION);
      for (const [index, time] of times.slice(1).entries()) expect(time > (times[index] ?? '')).toBe(true);
      expect([versions.at(-1), await lookups.mwsVersion(2 ** 40)]).toEqual(['', '']);
    });

    it('the version of the villages of a tehsil is a later time if an id, a name, an outline or the order of the villages changes', async () => {
      const { lookups } = get();
      const one = { id: 7, name: 'one', geometry: square(85, 24) };
      const two = { ...one, id: 0, name: 'two' };
      const id = await save({ ...WEST, villages: [one, two] });
      const versions = [await lookups.villagesVersion(id)];
      await save({ ...EAST, villages: [one] });
      expect(await lookups.villagesVersion(id)).toBe(versions[0]);
      const { state, district, tehsil } = WEST;
      const changes = [[{ ...one, id: 8 }, two], [{ ...one, name: 'other' }, two], [one], [two, one], []];
      changes.splice(2, 0, [{ ...one, geometry: square(84, 24) }, two]);
      for (const villages of changes) {
        await get().places.saveChanges(async function* () {
          yield { state, district, tehsil, villages };
        });
        versions.push(await lookups.villagesVersion(id));
        // The same villages do not change the version.
        await get().places.saveChanges(async function* () {
          yield { state, district, tehsil, villages };
        });
        expect(await lookups.villagesVersion(id)).toBe(versions.at(-1));
      }
      const times = versions.slice(0, -1);
      for (const time of times) expect(time).toMatch(VERSION);
      expect(times).toEqual([...new Set(times)].toSorted());
      expect([versions.at(-1), await lookups.villagesVersion(2 ** 40)]).toEqual(['', '']);
    });

    it('reads micro-watersheds and villages page by page', async () => {
      const { lookups, places } = get();
      const mws = ['12_9', '12_10', '3_1'].map((uid, at) => ({
        uid,
        geometry: at === 1 ? turned(holed) : square(85 + at, 24),
      }));
      const villages = [641_002, 0, 7, 0].map((id, at) => ({ id, name: `village ${at}`, geometry: square(85, 24) }));
      const id = await save({ ...WEST, mws, villages });
      await save({ ...EAST, mws: mws.slice(0, 1), villages: villages.slice(0, 1) });
      const first = await lookups.mwsAfter(id, '', 2);
      expect(first.map(({ uid }) => uid)).toEqual(['12_10', '12_9']);
      expect(parsed([...first, ...(await lookups.mwsAfter(id, '12_9', 2))])).toEqual(
        expectedOf(await places.mwsOf(id), await lookups.mwsVersion(id)),
      );
      const parts = [await lookups.villagesAfter(id, 0, 3), await lookups.villagesAfter(id, 3, 3)];
      expect(parsed(parts.flat())).toEqual(expectedOf(await places.villagesOf(id), await lookups.villagesVersion(id)));
      expect([await lookups.mwsAfter(id, '3_1', 2), await lookups.villagesAfter(id, 4, 2)]).toEqual([[], []]);
      expect([await lookups.mwsAfter(2 ** 40, '', 2), await lookups.villagesAfter(2 ** 40, 0, 2)]).toEqual([[], []]);
    });

    it('lists the village ids of a tehsil as ascending numbers, with duplicates', async () => {
      const { lookups } = get();
      const villages = [641_002, 0, 7, 0].map((id) => ({ id, name: `village ${id}`, geometry: square(85, 24) }));
      const id = await save({ ...WEST, villages });
      await save({ ...EAST, villages: villages.slice(0, 1) });
      expect(await lookups.villageIds(id)).toEqual([0, 0, 7, 641_002]);
      expect(await lookups.villageIds(2 ** 40)).toEqual([]);
    });

    it('finds a tehsil only by all of its three slugs', async () => {
      const { lookups } = get();
      const tehsilId = await save(WEST);
      await save({ ...WEST, state: 'Bihar', tehsil: 'Silchar' });
      const slugs = { state: 'assam', district: 'cachar', tehsil: 'lakhipur' };
      const { state, district, tehsil } = WEST;
      expect(await lookups.tehsilNamed(slugs)).toEqual({ tehsilId, state, district, tehsil });
      for (const other of [{ state: 'bihar' }, { district: 'x' }, { tehsil: 'silchar' }, { tehsil: 'lakhi\0pur' }]) {
        expect(await lookups.tehsilNamed({ ...slugs, ...other })).toBeUndefined();
      }
    });

    it('finds a tehsil with the first published layer of its boundaries; without a layer, with their version', async () => {
      const { lookups, runs } = get();
      const tehsilId = await save(WEST);
      await save(EAST);
      const slugs = { state: 'assam', district: 'cachar', tehsil: 'lakhipur' };
      const { state, district, tehsil } = WEST;
      const names = { tehsilId, state, district, tehsil };
      const mws = { kind: 'mws', workspace: 'mws', dataset: 'MWS' } as const;
      const villages = { ...mws, kind: 'villages' } as const;
      const unpublished = async (): Promise<void> => {
        for (const [boundaries, version] of [
          [mws, await lookups.mwsVersion(tehsilId)],
          [villages, await lookups.villagesVersion(tehsilId)],
        ] as const)
          expect(await lookups.boundariesNamed(slugs, boundaries)).toEqual({ ...names, layerName: null, version });
      };
      await unpublished();
      for (const other of [{ state: 'bihar' }, { tehsil: 'x' }, { tehsil: 'lakhi\0pur' }])
        expect(await lookups.boundariesNamed({ ...slugs, ...other }, mws)).toBeUndefined();

      const publish = async (
        id: string,
        layers: readonly Partial<ReturnType<typeof deliverable>['layers'][number]>[],
      ): Promise<void> => {
        const published = deliverable(['mws'], id);
        await runs.enqueue(newRun(id));
        const { token } = await claimed(runs);
        const layer = { workspace: 'mws', datasetName: 'MWS', layerType: 'vector', tehsilId } as const;
        const all = published.layers.flatMap((each) => layers.map((more) => ({ ...each, ...layer, ...more })));
        expect(await runs.publish(id, token, { ...published, layers: all })).toBe('ok');
      };
      await publish('r1', [
        { layerName: 'a', layerType: 'raster' },
        { layerName: 'b', datasetName: 'Other' },
        { layerName: 'c', workspace: 'other' },
        { layerName: 'd', tehsilId: tehsilId + 1000 },
      ]);
      await unpublished();
      await publish('r2', [{ layerName: 'f' }, { layerName: 'E' }]);
      for (const boundaries of [mws, villages])
        expect(await lookups.boundariesNamed(slugs, boundaries)).toEqual({ ...names, layerName: 'E', version: null });
      await save({ ...WEST, mws: [], villages: [] });
      const other = { workspace: 'none', dataset: 'MWS' };
      for (const kind of ['mws', 'villages'] as const)
        expect(await lookups.boundariesNamed(slugs, { kind, ...other })).toMatchObject({ version: '' });
    });

    it('reports if a tehsil has micro-watersheds or villages', async () => {
      const { lookups } = get();
      expect(await lookups.unitsBelow(await save(WEST))).toEqual({ mws: true, villages: true });
      expect(await lookups.unitsBelow(await save({ ...EAST, villages: [] }))).toEqual({ mws: true, villages: false });
      expect(await lookups.unitsBelow(await save({ mws: [], villages: [] }))).toEqual({ mws: false, villages: false });
      expect(await lookups.unitsBelow(2 ** 40)).toEqual({ mws: false, villages: false });
    });

    it('lists active locations in order of their slugs, with ids and names only', async () => {
      const { places, lookups } = get();
      expect(await lookups.activeLocations()).toEqual([]);
      const far = await places.saveBundle(bundle());
      const east = await places.saveBundle(bundle(EAST));
      const west = await places.saveBundle(bundle(WEST));
      const named = ({ id, name }: { id: number; name: string }): object => ({ id, name });
      expect(await lookups.activeLocations()).toEqual([
        {
          ...named(east.state),
          districts: [{ ...named(east.district), tehsils: [west.tehsil, east.tehsil].map(named) }],
        },
        { ...named(far.state), districts: [{ ...named(far.district), tehsils: [named(far.tehsil)] }] },
      ]);
    });

    it('lists no inactive place, and activates no place below an inactive place', async () => {
      const { places, lookups } = get();
      const { state, district, tehsil } = await places.saveBundle(bundle());
      const units = [
        { level: 'state', id: state.id },
        { level: 'district', id: district.id },
        { level: 'tehsil', id: tehsil.id },
      ] as const;
      const [top, middle, low] = units;
      const listed = async (): Promise<number> => (await lookups.activeLocations()).length;
      expect(await places.setActive(top, true)).toBe('unchanged');
      expect(await places.setActive(top, false)).toBe('changed');
      expect(await listed()).toBe(0);
      expect(await places.placeOfTehsil(tehsil.id)).toEqual({ state: { ...state, isActive: false }, district, tehsil });
      expect(await places.setActive(low, true)).toBe('unchanged');
      expect(await places.setActive(middle, false)).toBe('changed');
      expect(await places.setActive(low, false)).toBe('changed');
      expect([await places.setActive(low, true), await places.setActive(middle, true)]).toEqual([
        'inactive_above',
        'inactive_above',
      ]);
      for (const unit of units) expect(await places.setActive(unit, true)).toBe('changed');
      expect(await listed()).toBe(1);
      await places.setActive(low, false);
      expect((await places.saveBundle(bundle())).tehsil.isActive).toBe(false);
      for (const id of [99_999, 2 ** 31, 1.5])
        for (const { level } of units) expect(await places.setActive({ level, id }, true)).toBe('unknown');
    });
  });
}
