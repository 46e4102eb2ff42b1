import { LANGUAGE_FACTS as LANGUAGES_HERE, type LanguageFile } from './languages.ts';

/** Sentences about fields, by the field's name in the request. */
export type WireFields = Readonly<Record<string, readonly string[]>>;

/** Text of an error for the client. Absent members are taken from the error itself. */
export interface Words {
  readonly message: string;
  readonly fields?: WireFields;
  /** Members of the body that replace the error's details. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** All fields with their sentences as one text. */
export function fieldText(fields: WireFields): string {
  return Object.entries(fields)
    .map(([field, sentences]) => `${field}: ${sentences.join(' ')}`)
    .join('; ');
}

/** A language of the text catalogue. Each entry of the catalogue has its text in all these languages. */
export type CatalogueLanguage = 'en' | 'hi';

/** A language by its BCP 47 tag. */
export type Language = keyof typeof LANGUAGES_HERE;

/** Facts about each language. */
export const LANGUAGE_FACTS: Readonly<Record<Language, LanguageFile>> = LANGUAGES_HERE;

/** Tags of the languages of the pages; the first is the default. */
export const LANGUAGES = Object.keys(LANGUAGES_HERE) as [Language, ...Language[]];

/** Makes a value for a language when it is first needed, such as a number format. */
export function byLanguage<T>(make: (facts: LanguageFile) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    const value = made.get(language) ?? make(LANGUAGE_FACTS[language]);
    made.set(language, value);
    return value;
  };
}

/** True if a text, such as a query parameter, is the tag of a language of the pages. */
export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((language) => language === text);
}
