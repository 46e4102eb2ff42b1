/** A number and its noun as a sentence has them: `1 scene`, `0 scenes`, `1,204 scenes`. For nouns whose plural is an s. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
