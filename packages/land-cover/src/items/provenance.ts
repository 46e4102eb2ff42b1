import { publicAddress, type Scene } from '@headwater/core';
import type { LinkTarget } from '@headwater/stac';
import type { YearRaster } from '../run/rasters.ts';

/** Maximum number of `derived_from` links in one Item. If there are more scenes, one link leads to a document that lists all of them. */
export const MAX_DERIVED_LINKS = 50;

/** The skipped scenes of a year, with the reason for each scene id. */
interface YearOfSkips {
  readonly result: Pick<YearRaster['result'], 'skipped'>;
}

/**
 * Reasons why scenes were skipped, by scene id, for at most 50 scenes; the log has the reasons of all scenes. Items are public, so a path or URL
 * in a reason is shortened to its file name.
 */
export const skippedScenes = (years: readonly YearOfSkips[]): Readonly<Record<string, string>> => {
  const skipped = years.flatMap((y) => Object.entries(y.result.skipped)).slice(0, MAX_DERIVED_LINKS);
  return Object.fromEntries(skipped.map(([id, reason]) => [id, publicReason(reason)]));
};

const publicReason = (reason: string): string =>
  reason.replace(/\S+/g, (word) => (word.includes('/') ? lastName(word) : word));

/** Last part of a path or URL. Punctuation at the end of the word is kept in the result. */
function lastName(word: string): string {
  const place = word.replace(/[:;,.)]+$/, '');
  const path = publicAddress(place).replace(/\?.*$/, '');
  return path.slice(path.lastIndexOf('/') + 1) + word.slice(place.length);
}

/** Scenes that contributed a clear pixel in these years, each once. */
export function scenesOf(years: readonly YearRaster[]): readonly Scene[] {
  const used = years.flatMap(({ result }) => result.scenes.filter((s) => result.contributing.includes(s.id)));
  return [...new Map(used.map((scene) => [scene.id, scene])).values()];
}

/**
 * Returns `derived_from` links: one per scene, or a single link to the document at `list`. Scenes whose Items are on the disk of the server have
 * no public address and therefore no link; they are only counted in `headwater:scene_count`.
 */
export function derivedFrom(scenes: readonly Scene[], list: string | undefined): readonly LinkTarget[] {
  if (list !== undefined)
    return [{ href: list, title: `All ${scenes.length} scenes of this layer`, type: 'application/json' }];
  return scenes.flatMap(({ id, itemHref }) => {
    const href = publicHref(itemHref);
    return href === null ? [] : [{ href, title: id, type: 'application/geo+json' }];
  });
}

/** Public address of a scene's Item without secrets such as a key or signature; null if the Item has no public address. */
export function publicHref(href: string): string | null {
  const address = publicAddress(href);
  return /^https?:\/\/[^\s\\]+$/i.test(address) && URL.canParse(address) ? address : null;
}
