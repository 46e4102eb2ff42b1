import { publicAddress, type Scene } from '@headwater/core';
import type { LinkTarget } from '@headwater/stac';
import type { YearRaster } from '../run/rasters.ts';

/** Maximum number of `derived_from` links of an Item. A longer list is written to a separate document. */
export const MAX_DERIVED_LINKS = 50;

interface YearOfSkips {
  readonly result: Pick<YearRaster['result'], 'skipped'>;
}

/**
 * Reasons of at most 50 skipped scenes, by scene id. Paths and URLs are shortened to file names, because Items are
 * public.
 */
export const skippedScenes = (years: readonly YearOfSkips[]): Readonly<Record<string, string>> => {
  const skipped = years.flatMap((y) => Object.entries(y.result.skipped)).slice(0, MAX_DERIVED_LINKS);
  return Object.fromEntries(skipped.map(([id, reason]) => [id, publicReason(reason)]));
};

const publicReason = (reason: string): string =>
  reason.replace(/\S+/g, (word) => (word.includes('/') ? lastName(word) : word));

function lastName(word: string): string {
  const place = word.replace(/[:;,.)]+$/, '');
  const path = publicAddress(place).replace(/\?.*$/, '');
  return path.slice(path.lastIndexOf('/') + 1) + word.slice(place.length);
}

/** Scenes that contributed a clear pixel in these years, without duplicates. */
export function scenesOf(years: readonly YearRaster[]): readonly Scene[] {
  const used = years.flatMap(({ result }) => result.scenes.filter((s) => result.contributing.includes(s.id)));
  return [...new Map(used.map((scene) => [scene.id, scene])).values()];
}

/**
 * Returns `derived_from` links: one per scene, or one link to the document at `list`. Scenes on the disk of the server
 * have no link.
 */
export function derivedFrom(scenes: readonly Scene[], list: string | undefined): readonly LinkTarget[] {
  if (list !== undefined)
    return [{ href: list, title: `All ${scenes.length} scenes of this layer`, type: 'application/json' }];
  return scenes.flatMap(({ id, itemHref }) => {
    const href = publicHref(itemHref);
    return href === null ? [] : [{ href, title: id, type: 'application/geo+json' }];
  });
}

/** Public address of a scene's Item without keys or signatures; null if there is none. */
export function publicHref(href: string): string | null {
  const address = publicAddress(href);
  return /^https?:\/\/[^\s\\]+$/i.test(address) && URL.canParse(address) ? address : null;
}
