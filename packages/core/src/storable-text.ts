const MAX_LENGTH = 4000;

/** True if every store accepts the text: no NUL, no lone surrogate (PostgreSQL and UTF-8 have neither). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The text in a form that every store accepts: U+FFFD replaces each refused character; cut to 4,000 characters. */
export function storableText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '\ufffd');
  return clean.length <= MAX_LENGTH ? clean : `${clean.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
