import { LANGUAGE_FACTS as LANGUAGES_HERE, type LanguageFile } from './languages.ts';

/** Sentences about fields, by wire name. */
export type WireFields = Readonly<Record<string, readonly string[]>>;

/** Texts of an error for the client. */
export interface Words {
  readonly message: string;
  /** Default: none. */
  readonly fields?: WireFields;
  /** Further members of the body. Default: the error's details. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** All fields with their sentences as one text. */
export function fieldText(fields: WireFields): string {
  return Object.entries(fields)
    .map(([field, sentences]) => `${field}: ${sentences.join(' ')}`)
    .join('; ');
}

/** Language of the text catalogue. */
export type CatalogueLanguage = 'en' | 'hi';

/** Language by its BCP 47 tag. */
export type Language = keyof typeof LANGUAGES_HERE;

/** Facts about each language. */
export const LANGUAGE_FACTS: Readonly<Record<Language, LanguageFile>> = LANGUAGES_HERE;

/** Tags of the languages of the pages; the first is the default. */
export const LANGUAGES = Object.keys(LANGUAGES_HERE) as [Language, ...Language[]];

/** Creates a value for each language on first use, such as a number format. */
export function byLanguage<T>(make: (facts: LanguageFile) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    const value = made.get(language) ?? make(LANGUAGE_FACTS[language]);
    made.set(language, value);
    return value;
  };
}

/** True for the tag of a language of the pages. */
export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((language) => language === text);
}
