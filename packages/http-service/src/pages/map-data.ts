import { html } from 'hono/html';
import type { MapBackground } from './map-backgrounds.ts';
import { paths } from '../wire/paths.ts';
import { type Language, LANGUAGE_FACTS, LANGUAGES } from '../wire/words.ts';
import type { Html } from './layout.ts';
import { MAP_TEXTS, type MapTexts } from './map-texts.ts';
import { sayIn, type TextName } from './texts.ts';

/** Data that every interactive map has. */
export interface MapSurroundings {
  readonly language: Language;
  readonly texts: MapTexts;
  /** Addresses of the page in the other languages. */
  readonly others: readonly { readonly href: string; readonly language: Language; readonly title: string }[];
  readonly backgrounds: readonly MapBackground[];
}

/** Language, texts and backgrounds of a map. `addressIn` returns the page's address in a language. */
export function mapSurroundings(
  language: Language,
  backgrounds: readonly MapBackground[],
  addressIn: (language: Language) => string,
): MapSurroundings {
  const others = LANGUAGES.filter((each) => each !== language);
  return {
    language,
    texts: mapTexts(language),
    others: others.map((each) => ({ href: addressIn(each), language: each, title: LANGUAGE_FACTS[each].link })),
    backgrounds,
  };
}

/** Texts of the maps in a language, with their placeholders. */
export function mapTexts(language: Language): MapTexts {
  const names = Object.keys(MAP_TEXTS) as (TextName & keyof MapTexts)[];
  return Object.fromEntries(names.map((name) => [name, sayIn(language)(name)])) as MapTexts;
}

/** Name of the script of the maps. */
export const MAP_SCRIPT = 'map.js';

/** Element that loads the script of the maps. */
export function mapScript(prefix: string): Html {
  return html`<script type="module" src="${prefix}${paths.mapFile.replace(':file', MAP_SCRIPT)}"></script>`;
}
