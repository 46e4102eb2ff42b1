/** A language of the pages. */
export interface LanguageFile {
  /** Text of the links to the pages in this language, written in this language. */
  readonly link: string;
  /** BCP 47 tag for dates. */
  readonly dates: string;
  /** BCP 47 tag for numbers. */
  readonly numbers: string;
  /** Texts in this language by name, if the catalogue lacks them. Default of each: the English text. */
  readonly texts?: Readonly<Record<string, string>>;
}

/**
 * Languages of the pages by BCP 47 tag; the first is the default. To add a language, add an entry with a
 * `LanguageFile`.
 */
export const LANGUAGE_FACTS = {
  en: { link: 'In English', dates: 'en-GB', numbers: 'en-IN' },
  hi: { link: 'हिन्दी में', dates: 'hi-IN', numbers: 'hi-IN' },
} as const satisfies Readonly<Record<string, LanguageFile>>;
