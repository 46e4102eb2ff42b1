import type { ImportKind } from '@headwater/core';

/** Kinds of boundaries, in the order in which they are stored: micro-watersheds and villages lie in tehsils. */
export const BOUNDARY_KINDS = ['places', 'mws', 'villages'] as const satisfies readonly ImportKind[];

/** A kind of boundaries. */
export type BoundaryKind = (typeof BOUNDARY_KINDS)[number];

/** Words of a layer's name that tell its kind, looked for in this order: `village_boundaries` are villages, `tehsil_mws` micro-watersheds. */
const WORDS: readonly (readonly [BoundaryKind, RegExp])[] = [
  ['mws', /(?:^|[^a-z])(?:mws|(?:micro)?watersheds?)(?:$|[^a-z])/],
  ['villages', /(?:^|[^a-z])(?:villages?|settlements?)(?:$|[^a-z])/],
  ['places', /(?:^|[^a-z])(?:tehsils?|talukas?|blocks?|mandals?|subdistricts?|places?|boundar(?:y|ies))(?:$|[^a-z])/],
];

/** The kind that the name of a layer or file tells, whatever its case and whatever stands between its words; undefined where it tells none. */
export function kindOfLayer(name: string): BoundaryKind | undefined {
  const text = name.toLowerCase().replaceAll(/(micro|sub)[\s_-]+/g, '$1');
  return WORDS.find(([, words]) => words.test(text))?.[0];
}
