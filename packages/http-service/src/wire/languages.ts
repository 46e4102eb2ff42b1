/** Languages that reports speak; the first where nothing else is asked for. */
export const LANGUAGES = ['en', 'hi'] as const;

/** A language by its BCP 47 tag. */
export type Language = (typeof LANGUAGES)[number];

/** Whether a text, as of a query, names a language of ours. */
export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((language) => language === text);
}
