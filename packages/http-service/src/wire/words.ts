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

/** Languages of reports; the first is the default. */
export const LANGUAGES = ['en', 'hi'] as const;

/** A language by its BCP 47 tag. */
export type Language = (typeof LANGUAGES)[number];

/** True if a text, such as a query parameter, is one of our languages. */
export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((language) => language === text);
}
