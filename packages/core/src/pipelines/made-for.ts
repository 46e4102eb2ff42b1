import type { Outline } from '../geo/outlines.ts';
import { outlineDigest } from '../geo/outline-digest.ts';
import { propertiesOfItem } from './item-sources.ts';

/** Property of Items: digest of the outlines of the place that the layer was made for. */
export const BOUNDARY = 'headwater:boundary_digest';

/** Whether the layer of a stored Item was made for these outlines. Items of earlier versions tell no boundary, and pass. */
export function isMadeFor(clip: readonly Outline[], item: unknown): boolean {
  const told = propertiesOfItem(item)[BOUNDARY];
  return told === undefined || told === outlineDigest(clip);
}
