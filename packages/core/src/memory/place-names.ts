import { placeSlug } from '@headwater/stac';
import { boxOf, multiCoordinates, type Outline } from '../geo/outlines.ts';
import { sphericalAreaHa } from '../geo/spherical-area.ts';
import type { AreaId, Place, PlacedTehsil, TehsilNames } from '../ports/places.ts';
import type { PlaceTables } from './place-changes.ts';

/** The names of a place. */
export const namesOf = ({ state, district, tehsil }: Place): TehsilNames => ({
  tehsilId: tehsil.id,
  state: state.name,
  district: district.name,
  tehsil: tehsil.name,
});

const hasRing = (geometry: Outline): boolean =>
  multiCoordinates([geometry]).some(([ring]) => ring !== undefined && ring.length > 0);

/** `PlaceStore.tehsilsWithin` in memory. */
export function tehsilsWithin(
  { states, districts, tehsils }: Pick<PlaceTables, 'states' | 'districts' | 'tehsils'>,
  { level, id }: AreaId,
): readonly PlacedTehsil[] {
  const found = tehsils.flatMap((tehsil) => {
    const district = districts.find((each) => each.id === tehsil.districtId);
    const state = states.find((each) => each.id === district?.stateId);
    if (district === undefined || state === undefined || id !== (level === 'state' ? state : district).id) return [];
    const { geometry } = tehsil;
    const extent = geometry && hasRing(geometry) && { box: boxOf([geometry]), km2: sphericalAreaHa(geometry) / 100 };
    const slugs = [placeSlug(district.name), placeSlug(tehsil.name)] as const;
    return [{ slugs, placed: { ...namesOf({ state, district, tehsil }), ...(extent && { extent }) } }];
  });
  const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return found
    .toSorted(({ slugs: a }, { slugs: b }) => order(a[0], b[0]) || order(a[1], b[1]))
    .map(({ placed }) => placed);
}
