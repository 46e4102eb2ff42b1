const MAX_LENGTH = 4000;

/** True if every store accepts the text: PostgreSQL refuses NUL, and UTF-8 has no lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Writes U+FFFD for each character that stores refuse, and cuts the text to 4,000 characters. */
export function storableText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '\ufffd');
  return clean.length <= MAX_LENGTH ? clean : `${clean.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
