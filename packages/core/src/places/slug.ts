/**
 * A place's name as ids, paths and comparisons have it: lower case, characters outside `a-z 0-9 , : ; _ -` and blank
 * dropped, blanks to `_`, runs of `_` collapsed, `_` at the ends trimmed. 'Dadra & Nagar Haveli' -> 'dadra_nagar_haveli'.
 */
export function placeSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9 ,:;_-]/g, '')
    .replace(/[ _]+/g, '_')
    .replace(/^_|_$/g, '');
}
