import type { PublishedItem } from '@headwater/core';
import { EXTENSIONS } from '@headwater/stac';
import { withBase } from '../wire/addresses.ts';

/** The Item as it is served: real addresses for the stored stand-in, and the version that publishing gave it. */
export function publicItem({ item, version }: PublishedItem, baseUrl: string): PublishedItem['item'] {
  const served = withBase(item, baseUrl);
  const extensions = Array.isArray(served['stac_extensions']) ? served['stac_extensions'] : [];
  const properties = typeof served['properties'] === 'object' ? served['properties'] : {};
  return {
    ...served,
    stac_extensions: extensions.includes(EXTENSIONS.version) ? extensions : [...extensions, EXTENSIONS.version],
    properties: { ...properties, version: String(version) },
  };
}
