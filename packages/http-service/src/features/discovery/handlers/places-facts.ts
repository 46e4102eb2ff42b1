import type { FoundUnit } from '@headwater/core/ports';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import type { Ports } from '../../../deps.ts';
import { pageLinks, type Shell } from '../../../pages/layout.ts';
import { mapSurroundings } from '../../../pages/map-data.ts';
import { classesOf } from '../../../pages/number-classes.ts';
import { type MapBox, type MapPlace, middleOf, unionOf } from '../../../pages/places-map.ts';
import type { Pages } from '../../../pages/parts.ts';
import { paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import { placeSlug } from '@headwater/core';
import { type PlacesPageFacts, type ShownUnit, withLanguage } from '../page/places-page.ts';
import type { PlacesAddress, PublishedPlaces } from '../page/place-parts.ts';
import { publishedPlaces, unitHref } from './published-places.ts';

const PAGE_SIZE = 30;
const MOST_TITLES = 3;

/** A request for the page of places. */
export interface PlacesRequest {
  readonly q?: string | undefined;
  readonly box?: MapBox | undefined;
  readonly page?: number | undefined;
  readonly lang?: Language | undefined;
}

type Deps = Ports<'baseUrl' | 'documents' | 'stores' | 'version'>;

/** Data of the page of places: a list by name or by box, or all states. */
export async function placesFacts(deps: Deps, request: PlacesRequest, shell: Shell): Promise<PlacesPageFacts> {
  const { q = '', box, page = 1, lang } = request;
  const published = await publishedPlaces(deps);
  const places = box === undefined ? published.onMap : published.onMap.filter((place) => isIn(place, box));
  const list = await listFor(deps, request, { published, places });
  const address = placesAddress(deps, lang);
  return {
    prefix: pageLinks(deps.baseUrl).prefix,
    version: deps.version,
    ...shell,
    lang,
    text: q,
    box: q === '' ? box : undefined,
    number: page,
    places: q === '' ? places : [],
    placeOf: published.placeOf,
    total: published.total,
    states: published.states,
    address,
    map: q === '' ? mapOf(deps, { places, box, language: shell.language, address }) : undefined,
    ...list,
  };
}

interface MapParts {
  readonly places: readonly MapPlace[];
  readonly box: MapBox | undefined;
  readonly language: Language;
  readonly address: PlacesAddress;
}

function mapOf(
  { baseUrl, documents: { maps } }: Deps,
  { places, box, language, address }: MapParts,
): PlacesPageFacts['map'] {
  if (maps === undefined || places.length === 0) return undefined;
  const params = box === undefined ? {} : { box: box.join(',') };
  return {
    ...mapSurroundings(language, maps.backgrounds, (lang) => withLanguage(address, params, lang)),
    box: unionOf(places.map((place) => place.box)),
    outlines: pageLinks(baseUrl).prefix + paths.placeOutlines,
    classes: classesOf(places.map(({ layers }) => layers)),
  };
}

/** Returns a function that makes addresses of the page of places, in the language of the request. */
export function placesAddress(
  { baseUrl }: Ports<'baseUrl'>,
  lang: Language | undefined,
): (params: Readonly<Record<string, string>>) => string {
  const start = pageLinks(baseUrl).prefix + paths.places;
  return (params) => {
    const query = new URLSearchParams({ ...params, ...(lang === undefined ? {} : { lang }) }).toString();
    return query === '' ? start : `${start}?${query}`;
  };
}

const isIn = ({ box }: MapPlace, [west, south, east, north]: MapBox): boolean => {
  const [x, y] = middleOf(box);
  return x >= west && x <= east && y >= south && y <= north;
};

interface Known {
  readonly published: PublishedPlaces;
  readonly places: readonly MapPlace[];
}

async function listFor(
  deps: Deps,
  { q = '', box, page = 1, lang }: PlacesRequest,
  { published, places }: Known,
): Promise<Pick<PlacesPageFacts, 'units' | 'found' | 'pages'>> {
  const offset = (page - 1) * PAGE_SIZE;
  const limit = PAGE_SIZE + 1;
  const at = placesAddress(deps, lang);
  const pagesOf = (length: number, params: Readonly<Record<string, string>>): Pages => ({
    ...(page > 1 ? { newer: at({ ...params, ...(page > 2 ? { page: String(page - 1) } : {}) }) } : {}),
    ...(length > PAGE_SIZE ? { older: at({ ...params, page: String(page + 1) }) } : {}),
  });
  if (q !== '') {
    const units = await deps.stores.lookups.unitsNamed(placeSlug(q), { limit, offset });
    const shown = await fewAtOnce(units.slice(0, PAGE_SIZE), (unit) => shownUnit(deps, unit, published));
    return { units: shown, found: [], pages: pagesOf(units.length, { q }) };
  }
  if (box === undefined) return { units: [], found: [], pages: {} };
  const found = places.slice(offset, offset + limit);
  return { units: [], found: found.slice(0, PAGE_SIZE), pages: pagesOf(found.length, { box: box.join(',') }) };
}

async function shownUnit(deps: Deps, unit: FoundUnit, { of }: PublishedPlaces): Promise<ShownUnit> {
  const counts = of(unit);
  const isTehsil = unit.tehsil !== null;
  const listed =
    isTehsil && counts !== undefined
      ? await deps.stores.catalog.listOf(counts.path, { limit: MOST_TITLES, offset: 0 })
      : [];
  return { ...unit, counts, href: unitHref(deps, unit), titles: listed.map(({ title, id }) => title ?? id) };
}
