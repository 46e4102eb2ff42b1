import { type CatalogueLanguage, type Language, LANGUAGE_FACTS, LANGUAGES } from '../wire/words.ts';
import { CATALOGUE } from './catalogue.ts';
import { SENTENCE_TEXTS } from '../wire/sentence-texts.ts';

/** Name of a text. */
export type TextName = keyof typeof CATALOGUE;

type Parts = Readonly<Record<string, string>>;

/** Returns a text in one language; `parts` replace the placeholders in braces. */
export type Say = (name: TextName, parts?: Parts) => string;

/** Creates the function that returns the texts of a language; untranslated texts are in English. */
export function sayIn(language: Language): Say {
  return (name, parts = {}) =>
    textOf(name, language).replace(/\{(\w+)\}/g, (whole, part: string) =>
      Object.hasOwn(parts, part) ? (parts[part] ?? '') : whole,
    );
}

function textOf(name: TextName, language: Language): string {
  const own: Readonly<Partial<Record<Language, string>>> = CATALOGUE[name];
  return own[language] ?? LANGUAGE_FACTS[language].texts?.[name] ?? CATALOGUE[name].en;
}

type InLanguages = Readonly<Partial<Record<Language, string>>> & { readonly en: string };

/** Makes a text in every language. */
export function inLanguages(make: (language: Language) => string): Readonly<Record<Language, string>> {
  const texts = LANGUAGES.map((language) => [language, make(language)] as const);
  return Object.fromEntries(texts) as Readonly<Record<Language, string>>;
}

/** Text of the catalogue in every language. The values of `parts` may also be texts in every language. */
export function localText(
  name: TextName,
  parts: Readonly<Record<string, string | number | InLanguages>> = {},
): Readonly<Record<Language, string>> {
  return inLanguages((language) => {
    const own = Object.entries(parts).map(([part, value]) => [
      part,
      typeof value === 'object' ? (value[language] ?? value.en) : String(value),
    ]);
    return sayIn(language)(name, Object.fromEntries(own) as Parts);
  });
}

/** Several texts as one list with commas. */
export function joinedTexts(texts: readonly InLanguages[]): Readonly<Record<Language, string>> {
  return inLanguages((language) => texts.map((text) => text[language] ?? text.en).join(', '));
}

/** All texts by name, for checks of the catalogue. */
export const ALL_TEXTS: Readonly<Record<string, Readonly<Record<CatalogueLanguage, string>>>> = CATALOGUE;

const NAMES: ReadonlyMap<string, TextName> = new Map(
  Object.entries(CATALOGUE).map(([name, { en }]) => [en, name as TextName]),
);

/** Translation of an English text of data; undefined for English, or if the text is not in the catalogue. */
export function translated(text: string, language: Language): string | undefined {
  const name = NAMES.get(text);
  return name === undefined || language === 'en' ? undefined : sayIn(language)(name);
}

const PATTERNS = Object.entries(SENTENCE_TEXTS)
  .filter(([, { en }]) => en.includes('{'))
  .map(([name, { en }]) => {
    const pattern = en.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^]*?)');
    return [name as keyof typeof SENTENCE_TEXTS, new RegExp(`^${pattern}$`)] as const;
  });

/** Translation of a sentence of the API; in English if the catalogue has none. */
export function sentenceIn(sentence: string, language: Language): string {
  if (language === 'en') return sentence;
  const own = translated(sentence, language);
  if (own !== undefined) return own;
  for (const [name, pattern] of PATTERNS) {
    const found = pattern.exec(sentence);
    if (found !== null) return sayIn(language)(name, { ...found.groups });
  }
  return sentence;
}

/** Label of a parameter: `start_year` becomes `Start year`, translated. */
export function parameterLabel(name: string, language: Language): string {
  const words = name.replaceAll('_', ' ');
  const label = words.slice(0, 1).toUpperCase() + words.slice(1);
  return translated(label, language) ?? label;
}
