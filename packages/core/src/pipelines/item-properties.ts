import { isObject } from '@headwater/stac';
import { outlineDigest } from '../geo/outline-digest.ts';
import type { Outline } from '../geo/outlines.ts';

/** Title of the catalogue in stored Items; responses contain the configured title instead. */
export const CATALOGUE_TITLE = 'Headwater STAC catalogue';

/** Separator between the credits of several sources. */
export const BETWEEN_CREDITS = '; ';

/** First paragraph (Markdown) of the description of Items from synthetic data. */
export const SYNTHETIC_NOTICE =
  '**Made of SYNTHETIC data: generated, not measured. This layer says nothing about a real place.**';

/** Property of Items of vector layers: the `VectorShape` of all features; missing without a common shape. */
export const FEATURE_SHAPE = 'headwater:feature_shape';

/** Property of Items: digest of the outlines of the place for which the layer was computed. */
export const BOUNDARY = 'headwater:boundary_digest';

/** Returns the properties of a stored Item; an empty object if the Item has none. */
export function propertiesOfItem(item: unknown): Readonly<Record<string, unknown>> {
  return isObject(item) && isObject(item['properties']) ? item['properties'] : {};
}

/**
 * Returns true if the layer was computed for these outlines. Also true for a layer without boundary digest, because
 * earlier versions of this software stored none.
 */
export function isMadeFor(clip: readonly Outline[], item: unknown): boolean {
  const digest = propertiesOfItem(item)[BOUNDARY];
  return digest === undefined || digest === outlineDigest(clip);
}
