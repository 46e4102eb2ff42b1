/** Result of a `Range` header: inclusive bounds, the whole file, or a range outside of the file. */
export type RangeAnswer = { readonly start: number; readonly end: number } | 'whole' | 'unsatisfiable';

const SINGLE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/** Reads a `Range` header (RFC 9110, 14.2). Several ranges or another unit mean the whole file. */
export function readRange(header: string | undefined, size: number): RangeAnswer {
  const found = header === undefined ? null : SINGLE.exec(header);
  if (found === null) return 'whole';
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}
