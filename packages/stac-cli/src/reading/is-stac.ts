import { isObject } from '@headwater/stac';

const TYPES: readonly unknown[] = ['Feature', 'Collection', 'Catalog'];

/**
 * True for what means to be a STAC document, conforming or not; a folder may hold other JSON beside its catalogue. A Feature with neither
 * links nor assets is data: one of GeoJSON.
 */
export function isStac(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { stac_version: version, type, links, assets } = value;
  if (version !== undefined) return true;
  return TYPES.includes(type) && (type !== 'Feature' || links !== undefined || assets !== undefined);
}
