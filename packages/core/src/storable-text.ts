const MAX_LENGTH = 4000;

/** True if every store accepts the text: it has no NUL, which PostgreSQL refuses, and no lone surrogate, which UTF-8 cannot encode. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Converts a text to a form that every store accepts: replaces each refused character by U+FFFD, and cuts the text to 4,000 characters. */
export function storableText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '\ufffd');
  return clean.length <= MAX_LENGTH ? clean : `${clean.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
