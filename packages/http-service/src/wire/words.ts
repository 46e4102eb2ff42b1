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

/**
 * Languages of the pages; the first is the default. A further language needs its tag here, its facts below, and a file with its texts, which
 * `TRANSLATIONS` in `pages/texts.ts` names.
 */
export const LANGUAGES = ['en', 'hi'] as const;

/** A language in which the catalogue of pages has every text (`CATALOGUE` in `pages/texts.ts`). */
export type CatalogueLanguage = 'en' | 'hi';

/** A language by its BCP 47 tag. */
export type Language = (typeof LANGUAGES)[number];

/** Facts about a language. */
export interface LanguageFacts {
  /** Text of the link to a page in this language, in this language. */
  readonly link: string;
  /** BCP 47 tag for the forms of dates. */
  readonly dates: string;
  /** BCP 47 tag for the forms of numbers. */
  readonly numbers: string;
}

/** Facts about each language. */
export const LANGUAGE_FACTS: Readonly<Record<Language, LanguageFacts>> = {
  en: { link: 'In English', dates: 'en-GB', numbers: 'en-IN' },
  hi: { link: 'हिन्दी में', dates: 'hi-IN', numbers: 'hi-IN' },
};

/** Makes a value for a language when it is first needed, such as a number format. */
export function byLanguage<T>(make: (facts: LanguageFacts) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    const value = made.get(language) ?? make(LANGUAGE_FACTS[language]);
    made.set(language, value);
    return value;
  };
}

/** True if a text, such as a query parameter, is one of our languages. */
export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((language) => language === text);
}
