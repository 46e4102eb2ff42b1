/** A kind of land cover in the words of the published cluster names, and its share of a whole, in any unit. */
export interface CoverShare {
  readonly title: string;
  readonly share: number;
}

/**
 * Name of what covers most: `Mostly Tree/Forests` where one kind has half of all shares or more, else the two largest, `Tree/Forests and
 * Double Cropped`. Of equals the first comes first; undefined where nothing has a share.
 */
export function dominantCover(kinds: readonly CoverShare[]): string | undefined {
  const total = kinds.reduce((sum, { share }) => sum + share, 0);
  const [first, second] = kinds.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share);
  if (first === undefined) return undefined;
  if (second === undefined || first.share >= total / 2) return `Mostly ${first.title}`;
  return `${first.title} and ${second.title}`;
}
