/** A number with its noun: `1 scene`, `0 scenes`, `1,204 scenes`. For nouns with a plural in s. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
