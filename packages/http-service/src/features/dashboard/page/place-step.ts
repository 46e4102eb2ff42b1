import { html, raw } from 'hono/html';
import type { Tehsil } from '@headwater/core/ports';
import { boxOf, multiCoordinates, type Outline } from '@headwater/core/geo';
import { hidden } from '../../../pages/form-parts.ts';
import type { Html } from '../../../pages/layout.ts';
import type { Crumb } from '../../../pages/parts.ts';
import {
  type MapBox,
  type MapOptions,
  type MapPlace,
  placesMap,
  type Frame,
  frameOf,
  graticule,
  WIDTH,
} from '../../../pages/places-map.ts';
import { boxText } from '../../../pages/words.ts';
import type { Reader } from '../../../screens/replies.ts';

/** Units from which the reader chooses a place. */
export interface PlaceChoices {
  readonly kind: 'states' | 'districts' | 'tehsils';
  readonly text: string;
  readonly found: readonly (Crumb & { readonly above: string })[] | undefined;
  readonly box?: MapBox | undefined;
  /** Links to the earlier choices. The first link leads to all states; its title is ''. */
  readonly above: readonly Crumb[];
  readonly name?: string;
  readonly units: readonly Crumb[];
  readonly shapes?: readonly TehsilShape[];
  readonly published?: Omit<MapOptions, 'language'> & { readonly places: readonly MapPlace[] };
  readonly listed?: PlaceChoices['found'];
}

const MOST_SUGGESTIONS = 500;
const HEADINGS = { states: 'states', districts: 'districtsHere', tehsils: 'tehsilsHere' } as const;

/** The step that chooses a place by name, list or map. `kept`: further parameters of the search form. */
export function placeStep(
  { say, language }: Reader,
  choices: PlaceChoices,
  form: { readonly action: string; readonly kept: Readonly<Record<string, string>> },
): Html {
  const { kind, text, found, above, name = '', units, shapes = [], published, listed } = choices;
  const heading = say(HEADINGS[kind], { name });
  return html`<h2 id="place">${say('thePlace')}</h2>
    <form class="search" role="search" method="get" action="${form.action}">
      <label for="q">${say('placeByName')}</label>
      <input id="q" name="q" type="search" maxlength="100" value="${text}" autocomplete="off" list="q-list" />
      <datalist id="q-list">
        ${units.slice(0, MOST_SUGGESTIONS).map(({ title }) => html`<option value="${title}"></option>`)}
      </datalist>
      ${Object.entries(form.kept).map(([field, value]) => hidden(field, value))}
      <button class="button" type="submit">${say('find')}</button>
    </form>
    ${found === undefined ? '' : foundList(found, say('places'), say('noPlaceFound'))}
    ${listed === undefined ? '' : foundList(listed, say('publishedHere'), say('noPlaceInBox'))}
    ${
      units.length === 0
        ? html`<p class="empty">${say('noPlaces')}</p>`
        : html`<h3 class="title" id="units">${heading}</h3>
            ${above.length === 0 ? '' : html`<p>${above.map(({ title, href }) => html`<a href="${href}">${title === '' ? say('states') : title}</a> / `)}${name}</p>`}
            <div class="where">
              <div>
                ${shapes.length === 0 ? '' : tehsilsMap(shapes, say('tehsilsMap', { name }))}
                ${published === undefined ? '' : placesMap(published.places, { ...published, language })}
              </div>
              <ul class="places" aria-labelledby="units">
                ${units.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
              </ul>
            </div>`
    }`;
}

/** Title of the step. Pages with different addresses get different titles. */
export function placeStepTitle({ say, language }: Reader, { kind, text, box, above, name }: PlaceChoices): string {
  const units = [name, ...above.map(({ title }) => title).reverse()].filter(
    (each) => each !== undefined && each !== '',
  );
  const below = kind === 'states' ? [] : [say(HEADINGS[kind], { name: units.join(', ') })];
  return [...below, ...(text === '' ? [] : [`“${text}”`]), boxText(box, language)]
    .filter((part) => part !== '')
    .join(': ');
}

function foundList(found: NonNullable<PlaceChoices['found']>, label: string, none: string): Html {
  if (found.length === 0) return html`<p class="empty">${none}</p>`;
  return html`<ul class="found" aria-label="${label}">
    ${found.map(
      ({ title, above, href }) =>
        html`<li>
          <a href="${href}">${title}</a>
          ${above === '' ? '' : html`<p>${above}</p>`}
        </li> `,
    )}
  </ul>`;
}

type TehsilShape = Pick<Tehsil, 'name' | 'geometry'> & { readonly href: string };

function tehsilsMap(tehsils: readonly TehsilShape[], label: string): Html | '' {
  const drawn = tehsils.flatMap(({ geometry, ...rest }) => (geometry === null ? [] : [{ ...rest, geometry }]));
  if (drawn.length === 0) return '';
  const frame = frameOf(boxOf(drawn.map(({ geometry }) => geometry)));
  return html`<svg class="placesmap" viewBox="0 0 ${WIDTH} ${frame.height}" role="group" aria-label="${label}">
    ${graticule(frame)}
    ${drawn.map(
      ({ name, href, geometry }) =>
        html`<a href="${href}" aria-label="${name}">
          <title>${name}</title> <path fill-rule="evenodd" d="${raw(pathOf(geometry, frame))}"
        /></a> `,
    )}
  </svg>`;
}

function pathOf(outline: Outline, { x, y }: Frame): string {
  const pointAt = ([longitude = 0, latitude = 0]: readonly number[]): string =>
    `${Math.round(x(longitude))} ${Math.round(y(latitude))}`;
  return multiCoordinates([outline])
    .flat()
    .map((ring) => {
      const points = ring.map(pointAt).filter((point, index, all) => point !== all[index - 1]);
      return `M${points.join('L')}Z`;
    })
    .join('');
}
