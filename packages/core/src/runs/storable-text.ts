const MAX_LENGTH = 4000;

/** Text that every store takes: well-formed Unicode without NUL, at most 4,000 characters. */
export function storableText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '\ufffd');
  return clean.length <= MAX_LENGTH ? clean : `${clean.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
