import { isDomainError, type Place, placeSlug } from '@headwater/core';
import { findPlace } from '@headwater/core/places';
import { sphericalAreaHa } from '@headwater/core/geo';
import type { Ports } from '../../../deps.ts';
import type { Crumb } from '../../../pages/parts.ts';
import { type MapBox, middleOf } from '../../../pages/places-map.ts';
import { toWire } from '../../../wire/wire-error.ts';
import { publishedPlaces } from '../../discovery/handlers/published-places.ts';
import type { PlaceChoices } from '../page/place-step.ts';

const MOST_FOUND = 60;

type Deps = Ports<'baseUrl' | 'stores'>;

/** Names of a place that were sent; '' for absent names. */
export type SentPlace = Readonly<Record<'state' | 'district' | 'tehsil', string>>;

/** The chosen place, or the reason why there is none. */
export type ChosenPlace =
  | { readonly place: Place; readonly km2: number | undefined }
  | { readonly place?: never; readonly sentence: string };

/** The place with these names; undefined if no tehsil is named. */
export async function chosenPlace({ stores }: Deps, sent: SentPlace): Promise<ChosenPlace | undefined> {
  if (sent.tehsil === '') return undefined;
  try {
    const place = await findPlace(stores.places, sent);
    const { geometry } = place.tehsil;
    return { place, km2: geometry === null ? undefined : sphericalAreaHa(geometry) / 100 };
  } catch (error) {
    if (!isDomainError(error) || (error.code !== 'not_found' && error.code !== 'validation')) throw error;
    return { sentence: toWire(error).message };
  }
}

/** Parameters that narrow the choice of a place. */
export interface Narrowing {
  readonly sent: SentPlace;
  readonly text: string;
  readonly box: MapBox | undefined;
  readonly at: (params: Readonly<Record<string, string>>) => string;
}

/** Units to choose from: the units below the chosen unit, and the results of a search, if any. */
export async function placeChoices(deps: Deps, narrowing: Narrowing): Promise<PlaceChoices> {
  const { sent, text, at } = narrowing;
  const { places } = deps.stores;
  const states = await places.states();
  const state = sent.state === '' ? undefined : await places.findState(placeSlug(sent.state));
  const district =
    state === undefined || sent.district === ''
      ? undefined
      : await places.findDistrict(state.id, placeSlug(sent.district));
  const shared = { text, box: narrowing.box, found: text === '' ? undefined : await foundUnits(deps, narrowing) };
  if (state === undefined) {
    const units = states.map(({ name }) => ({ title: name, href: at({ state: name }) }));
    return { ...shared, kind: 'states', above: [], units, ...(await publishedOn(deps, narrowing)) };
  }
  const top: Crumb = { title: '', href: at({}) };
  if (district === undefined) {
    const units = await places.districts(state.id);
    const links = units.map(({ name }) => ({ title: name, href: at({ state: state.name, district: name }) }));
    return { ...shared, kind: 'districts', above: [top], name: state.name, units: links };
  }
  const hrefOf = (tehsil: string): string => at({ state: state.name, district: district.name, tehsil });
  const tehsils = await places.tehsils(district.id);
  const shapes = tehsils.map(({ name, geometry }) => ({ name, geometry, href: hrefOf(name) }));
  const above = [top, { title: state.name, href: at({ state: state.name }) }];
  const units = shapes.map(({ name, href }) => ({ title: name, href }));
  return { ...shared, kind: 'tehsils', above, name: district.name, units, shapes };
}

async function foundUnits({ stores }: Deps, { text, at }: Narrowing): Promise<PlaceChoices['found']> {
  const units = await stores.lookups.unitsNamed(placeSlug(text), { limit: MOST_FOUND, offset: 0 });
  return units.map(({ state, district, tehsil }) => ({
    title: tehsil ?? district ?? state,
    above: [district, state].filter((name) => name !== null && name !== (tehsil ?? district ?? state)).join(', '),
    href: at({ state, ...(district !== null && { district }), ...(tehsil !== null && { tehsil }) }),
  }));
}

async function publishedOn(deps: Deps, { box, at }: Narrowing): Promise<Pick<PlaceChoices, 'published' | 'listed'>> {
  const { onMap, placeOf } = await publishedPlaces(deps);
  const isIn = ([x, y]: readonly [number, number], [west, south, east, north]: MapBox): boolean =>
    x >= west && x <= east && y >= south && y <= north;
  const shown = box === undefined ? onMap : onMap.filter((place) => isIn(middleOf(place.box), box));
  const hereOf: typeof placeOf = (place) => {
    const [state = '', district = '', tehsil = ''] = place.path.split('/');
    return { ...placeOf(place), href: at({ state, district, tehsil }) };
  };
  const published = { places: shown, placeOf: hereOf, listOf: (of: MapBox) => at({ box: of.join(',') }) };
  const listed = box === undefined ? undefined : shown.slice(0, MOST_FOUND).map((place) => hereOf(place));
  return { published, listed: listed?.map(({ name, above, href }) => ({ title: name, above, href })) };
}
