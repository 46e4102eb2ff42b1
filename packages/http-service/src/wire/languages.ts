/** A language of the pages. */
export interface LanguageFile {
  /** Text of links to pages in this language, written in this language. */
  readonly link: string;
  /** BCP 47 tag for the forms of dates. */
  readonly dates: string;
  /** BCP 47 tag for the forms of numbers. */
  readonly numbers: string;
  /**
   * Texts by their names in the catalogue, for a language that the catalogue lacks. A text that is missing in the catalogue and
   * here is shown in English.
   */
  readonly texts?: Readonly<Record<string, string>>;
}

/**
 * Languages of the pages by their BCP 47 tags; the first is the default. A further language is one file that exports a `LanguageFile`, and its
 * entry here. The texts of the catalogue are in `pages/`.
 */
export const LANGUAGE_FACTS = {
  en: { link: 'In English', dates: 'en-GB', numbers: 'en-IN' },
  hi: { link: 'हिन्दी में', dates: 'hi-IN', numbers: 'hi-IN' },
} as const satisfies Readonly<Record<string, LanguageFile>>;
