/** Languages of reports; the first is the default. */
export const LANGUAGES = ['en', 'hi'] as const;

/** A language by its BCP 47 tag. */
export type Language = (typeof LANGUAGES)[number];

/** True if a text, such as a query parameter, is one of our languages. */
export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((language) => language === text);
}
