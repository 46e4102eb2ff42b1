import { html } from 'hono/html';
import type { MapBackground } from './map-backgrounds.ts';
import { paths } from '../wire/paths.ts';
import { type Language, LANGUAGE_FACTS } from '../wire/words.ts';
import type { Html } from './layout.ts';
import { type MapTexts, mapTexts } from './map-texts.ts';

/** Parts of the data of every interactive map. */
export interface MapSurroundings {
  readonly language: Language;
  readonly texts: MapTexts;
  /** Address of the page in the other language, with its name. */
  readonly other: { readonly href: string; readonly language: Language; readonly title: string };
  readonly backgrounds: readonly MapBackground[];
}

/** The language, texts and backgrounds of a map; `addressIn` makes the address of the page in a language. */
export function mapSurroundings(
  language: Language,
  backgrounds: readonly MapBackground[],
  addressIn: (language: Language) => string,
): MapSurroundings {
  const other = language === 'hi' ? 'en' : 'hi';
  return {
    language,
    texts: mapTexts(language),
    other: { href: addressIn(other), language: other, title: LANGUAGE_FACTS[other].link },
    backgrounds,
  };
}

/** Name of the script that a page with a map loads. */
export const MAP_SCRIPT = 'map.js';

/** Element that loads the script of the maps. */
export function mapScript(prefix: string): Html {
  return html`<script type="module" src="${prefix}${paths.mapFile.replace(':file', MAP_SCRIPT)}"></script>`;
}
