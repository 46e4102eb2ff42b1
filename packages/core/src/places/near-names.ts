import { placeSlug } from '@headwater/stac';
import { similarity } from './edit-distance.ts';

const OFFERED = 3;
const NEAR = 0.6;
/** Longer input is no misspelt name, and comparing it would cost time. */
const LONGEST = 100;

/** Up to three of `names` that look like `text`, the nearest first; names that begin with it count as near. */
export function nearNames(text: string, names: readonly string[]): readonly string[] {
  const wanted = placeSlug(text);
  if (wanted === '' || wanted.length > LONGEST) return [];
  const scored = names.map((name) => ({ name, score: nearness(wanted, placeSlug(name)) }));
  return scored
    .filter(({ score }) => score >= NEAR)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ name }) => name);
}

function nearness(wanted: string, slug: string): number {
  const begins = wanted.length >= 3 && slug.startsWith(wanted);
  return Math.max(similarity(wanted, slug), begins ? NEAR : 0);
}
