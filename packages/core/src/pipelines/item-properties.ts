import { isObject } from '@headwater/stac';
import { outlineDigest } from '../geo/outline-digest.ts';
import type { Outline } from '../geo/outlines.ts';

/** Title of the catalogue in stored Items; texts that are sent have the title of the publication. */
export const CATALOGUE_TITLE = 'Headwater STAC catalogue';

/** Stands between the credits of several sources. */
export const BETWEEN_CREDITS = '; ';

/** First paragraph (Markdown) of the description of what was made of synthetic data, so that it cannot be overlooked. */
export const SYNTHETIC_NOTICE =
  '**Made of SYNTHETIC data: generated, not measured. This layer says nothing about a real place.**';

/** Property of the Items of vector layers: what all of its features are, a `VectorShape`; left out if they differ or there are none. */
export const FEATURE_SHAPE = 'headwater:feature_shape';

/** Property of Items: digest of the outlines of the place that the layer was made for. */
export const BOUNDARY = 'headwater:boundary_digest';

/** Properties of a stored Item; none if it has none. */
export function propertiesOfItem(item: unknown): Readonly<Record<string, unknown>> {
  return isObject(item) && isObject(item['properties']) ? item['properties'] : {};
}

/** True if the layer of a stored Item was made for these outlines. Items of earlier versions name no boundary, and pass. */
export function isMadeFor(clip: readonly Outline[], item: unknown): boolean {
  const made = propertiesOfItem(item)[BOUNDARY];
  return made === undefined || made === outlineDigest(clip);
}
