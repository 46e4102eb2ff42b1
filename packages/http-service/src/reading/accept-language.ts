import { isLanguage, type Language, LANGUAGES } from '../wire/words.ts';
import { weighted } from './accept-media.ts';

type Header = string | readonly string[] | undefined;

/**
 * Language that a reader prefers (RFC 9110, 12.5.4), by default the first of `languages`, such as English. Of equal
 * weights, the first in the header wins.
 */
export function languageOf(header: Header): Language;
export function languageOf<L extends string>(header: Header, languages: readonly [L, ...L[]]): L;
export function languageOf(header: Header, languages: readonly [string, ...string[]] = LANGUAGES): string {
  const [first] = languages;
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '');
  let best: { readonly language: string; readonly weight: number } = { language: first, weight: 0 };
  for (const { type, weight } of weighted(text)) {
    const language = type === '*' ? first : (type.split('-')[0] ?? '');
    if (languages.includes(language) && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

/** Language of a request, by its `lang` parameter or its `Accept-Language` header. */
export function requestLanguage(query: string, header: Header): Language {
  const named = new URLSearchParams(query).get('lang');
  return isLanguage(named) ? named : languageOf(header);
}
