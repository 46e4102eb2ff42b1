import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { type MapOptions, type MapPlace, type NamedPlace, placesMap } from '../../../pages/places-map.ts';
import { sayIn } from '../../../pages/texts.ts';
import type { Language } from '../../../wire/words.ts';
import type { FoundUnit } from '@headwater/core/ports';

/** Numbers of tehsils and layers that are published at or below a place. */
export interface PublishedCounts {
  readonly path: string;
  readonly tehsils: number;
  readonly layers: number;
}

/** The published places with their layers, for maps and lists. */
export interface PublishedPlaces {
  readonly onMap: readonly MapPlace[];
  readonly placeOf: MapOptions['placeOf'];
  readonly total: Pick<PublishedCounts, 'tehsils' | 'layers'>;
  readonly states: readonly (Omit<NamedPlace, 'above'> & { readonly tehsils: number })[];
  /** Returns the counts of a unit; undefined if nothing is published there. */
  readonly of: (unit: FoundUnit) => PublishedCounts | undefined;
}

/** Makes addresses of the page of places. */
export type PlacesAddress = (params: Readonly<Record<string, string>>) => string;

/** Form that searches places by name. The form needs no script. */
export function searchForm(
  address: PlacesAddress,
  { text, language, lang }: { readonly text: string; readonly language: Language; readonly lang: Language | undefined },
): Html {
  const say = sayIn(language);
  return html`<form class="search" role="search" method="get" action="${address({}).split('?')[0]}">
    <label for="q">${say('findPlace')}</label>
    <input id="q" name="q" type="search" maxlength="100" value="${text}" autocomplete="off" />
    ${lang === undefined ? '' : html`<input type="hidden" name="lang" value="${lang}" />`}
    <button class="button" type="submit">${say('find')}</button>
  </form>`;
}

/** The map of places, with a sentence about its squares. */
export function mapOf(
  places: readonly MapPlace[],
  { placeOf }: Pick<PublishedPlaces, 'placeOf'>,
  { language, address }: { readonly language: Language; readonly address: PlacesAddress },
): Html | '' {
  if (places.length === 0) return '';
  return html`${placesMap(places, { language, placeOf, listOf: (box) => address({ box: box.join(',') }) })}
  ${places.length === 1 ? '' : html`<p class="soft">${sayIn(language)('chooseSquare')}</p>`}`;
}

/** List of the states with their numbers of published tehsils. */
export function statesOf(states: PublishedPlaces['states'], language: Language): Html | '' {
  const say = sayIn(language);
  if (states.length === 0) return '';
  return html`<h2 class="small" id="states">${say('ofStates')}</h2>
    <ul class="places" aria-labelledby="states">
      ${states.map(
        ({ name, href, tehsils }) =>
          html`<li><a href="${href}">${name}</a> <span>${say('tehsilCount', { count: String(tehsils) })}</span></li> `,
      )}
    </ul>`;
}

/** Sentence with the numbers of published tehsils and layers. */
export function totalText({ tehsils, layers }: PublishedPlaces['total'], language: Language): string {
  return sayIn(language)('publishedCounts', { tehsils: String(tehsils), layers: String(layers) });
}
