import { isObject } from '@headwater/stac';

const TYPES: readonly unknown[] = ['Feature', 'Collection', 'Catalog'];

/** True for what means to be a STAC document, conforming or not; a folder may hold other JSON beside its catalogue. */
export function isStac(value: unknown): boolean {
  return isObject(value) && (value['stac_version'] !== undefined || TYPES.includes(value['type']));
}
