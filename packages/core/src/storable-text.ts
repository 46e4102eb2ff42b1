const MAX_LENGTH = 4000;

/**
 * True if every store accepts the text. It must have no NUL, because PostgreSQL refuses NUL. It must have no lone
 * surrogate, because UTF-8 cannot encode it.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Converts a text to a form that every store accepts: replaces each refused character by U+FFFD, and cuts the text to 4,000 characters. */
export function storableText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '\ufffd');
  return clean.length <= MAX_LENGTH ? clean : `${clean.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
