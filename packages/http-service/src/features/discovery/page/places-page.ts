import type { FoundUnit } from '@headwater/core/ports';
import { html } from 'hono/html';
import { foot, page, type Html, type Shell } from '../../../pages/layout.ts';
import { type MapBox, type MapPlace, middleOf, type NamedPlace } from '../../../pages/places-map.ts';
import { crumbs, pager, type Pages } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import {
  mapOf,
  type PlacesAddress,
  type PublishedCounts,
  type PublishedPlaces,
  searchForm,
  statesOf,
  totalText,
} from './place-parts.ts';
import { mapScript, type MapSurroundings } from '../../../pages/map-data.ts';
import type { NumberClass } from '../../../pages/number-classes.ts';

/** A place that a search found. */
export interface ShownUnit extends FoundUnit {
  readonly href: string;
  /** Counts of the published tehsils and layers of the unit; undefined if nothing is published. */
  readonly counts: PublishedCounts | undefined;
  readonly titles: readonly string[];
}

/** Data of the page of places. */
export interface PlacesPageFacts extends Shell {
  readonly prefix: string;
  readonly version: string;
  readonly lang: Language | undefined;
  readonly text: string;
  readonly box: MapBox | undefined;
  readonly number: number;
  readonly places: readonly MapPlace[];
  readonly placeOf: PublishedPlaces['placeOf'];
  readonly total: PublishedPlaces['total'];
  readonly states: PublishedPlaces['states'];
  readonly units: readonly ShownUnit[];
  readonly found: readonly MapPlace[];
  readonly pages: Pages;
  readonly address: PlacesAddress;
  readonly map: PlacesMap | undefined;
}

/** Page of places: a search by name, a map, and the places that were found. */
export function placesPage(facts: PlacesPageFacts): Html {
  const { prefix, version, language, lang, text, box, number, places, address } = facts;
  const say = sayIn(language);
  const heading =
    text === ''
      ? box === undefined
        ? say('places')
        : say('placesIn', { at: middleText(box) })
      : say('placesNamed', { text: `“${text}”` });
  // The title has the whole box. The heading has only the rounded middle, which several boxes may share.
  const named = text === '' && box !== undefined ? `${heading} (${boxText(box)})` : heading;
  const title = number > 1 ? say('pageNumber', { title: named, number: String(number) }) : named;
  const start = { title: say('firstPage'), href: `${prefix}${paths.firstPage}` };
  const all = { title: say('places'), href: address({}) };
  const isAll = text === '' && box === undefined;
  const body = html`${crumbs(isAll ? [start] : [start, all], heading, say('breadcrumb'))}
    <h1>${heading}</h1>
    <p class="lead">${say('placesLead')}</p>
    ${searchForm(address, { text, language, lang })} ${listOf(facts)}
    ${isAll ? html`<p>${totalText(facts.total, language)}</p>` : ''}
    <div class="where">
      <div>
        ${mapOf(places, facts, { language, address })}
        ${facts.map === undefined ? '' : placesMapPart(facts.map, prefix)}
      </div>
      <div>${isAll ? statesOf(facts.states, language) : ''}</div>
    </div>
    ${foot(version, [])}`;
  return page({
    title: `${title}: Headwater`,
    description: say('placesLead'),
    prefix,
    body,
    language,
    query: facts.query,
    account: facts.account,
  });
}

/** Address of the page of places in a language. */
export function withLanguage(address: PlacesAddress, params: Readonly<Record<string, string>>, lang: Language): string {
  const [start = ''] = address({}).split('?');
  return `${start}?${new URLSearchParams({ ...params, lang }).toString()}`;
}

function boxText([west, south, east, north]: MapBox): string {
  return `${south} to ${north}° N, ${west} to ${east}° E`;
}

function middleText(box: MapBox): string {
  const [longitude, latitude] = middleOf(box);
  return `${latitude.toFixed(1)}° N, ${longitude.toFixed(1)}° E`;
}

function listOf(facts: PlacesPageFacts): Html | '' {
  const { text, box, units, found, pages, language } = facts;
  const say = sayIn(language);
  if (text === '' && box === undefined) return '';
  const isEmpty = units.length + found.length === 0;
  const words = [say('previousPage'), say('nextPage')] as const;
  return html`${
    isEmpty
      ? html`<p class="empty">${say(text === '' ? 'noPlaceInBox' : 'noPlaceFound')}</p>`
      : html`<ul class="found" aria-label="${say('places')}">
          ${units.map((unit) => unitEntry(unit, language))}
          ${found.map((place) => placeEntry(facts.placeOf(place), place, language))}
        </ul>`
  }
  ${pager(pages, words, say('pages'))}`;
}

function unitEntry({ state, district, tehsil, href, counts, titles }: ShownUnit, language: Language): Html {
  const say = sayIn(language);
  const where =
    district === null
      ? say('aState')
      : tehsil === null
        ? say('aDistrict', { above: state })
        : say('aTehsil', { above: `${district}, ${state}` });
  return html`<li>
    <a href="${href}">${tehsil ?? district ?? state}</a>
    <p>${where}: ${countText(counts, tehsil !== null, language)}</p>
    ${titles.length === 0 ? '' : html`<p lang="en">${titlesText(titles, counts?.layers ?? 0, language)}</p>`}
  </li> `;
}

function countText(counts: PublishedCounts | undefined, isTehsil: boolean, language: Language): string {
  const say = sayIn(language);
  if (counts === undefined) return say('nothingThere');
  const layers = say('layerCount', { count: String(counts.layers) });
  return isTehsil ? layers : `${say('tehsilCount', { count: String(counts.tehsils) })}, ${layers}`;
}

function titlesText(titles: readonly string[], count: number, language: Language): string {
  const more = count - titles.length;
  return [...titles, ...(more > 0 ? [sayIn(language)('moreTitles', { count: String(more) })] : [])].join('; ');
}

function placeEntry({ name, above, href }: NamedPlace, { layers }: MapPlace, language: Language): Html {
  const say = sayIn(language);
  return html`<li>
    <a href="${href}">${name}</a>
    <p>${say('aTehsil', { above })}: ${say('layerCount', { count: String(layers) })}</p>
  </li> `;
}

/** Data of the interactive map of places. All its addresses are of this origin, except tiles of backgrounds. */
export interface PlacesMap extends MapSurroundings {
  readonly box: MapBox;
  /** Address of the outlines. The script adds the shown box. */
  readonly outlines: string;
  /** Classes of the number of layers, by which places are coloured. */
  readonly classes: readonly NumberClass[];
}

/** The interactive map. Without script nothing is shown. */
function placesMapPart(map: PlacesMap, prefix: string): Html {
  return html`<div class="mapplace" lang="${map.language}" data-places="${JSON.stringify(map)}"></div>
    ${mapScript(prefix)}`;
}
