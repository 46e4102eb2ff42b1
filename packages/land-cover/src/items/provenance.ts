import type { LinkTarget } from '@headwater/stac';
import type { YearRaster } from '../run/rasters.ts';

/** `derived_from` links of one Item; with more scenes only their count is given. */
const MAX_DERIVED_LINKS = 50;

/** Scene id -> reason, at most 50; the log has all. Items are public: of a path or URL only the file's name is told. */
export const skippedScenes = (years: readonly YearRaster[]): Readonly<Record<string, string>> => {
  const skipped = years.flatMap((y) => Object.entries(y.result.skipped)).slice(0, MAX_DERIVED_LINKS);
  return Object.fromEntries(skipped.map(([id, reason]) => [id, publicReason(reason)]));
};

const publicReason = (reason: string): string =>
  reason.replace(/\S*\/\S*/g, (path) =>
    path.slice(path.lastIndexOf('/', path.search(/\?|$/)) + 1).replace(/\?[^:\s]*/, ''),
  );

export function derivedFrom(
  scenes: readonly { readonly id: string; readonly itemHref: string }[],
): readonly LinkTarget[] {
  // Items on the server's own disk have no public address; their number is in headwater:scene_count.
  const links = scenes.filter((scene) => isPublicUrl(scene.itemHref));
  if (links.length > MAX_DERIVED_LINKS) return [];
  return links.map((scene) => ({ href: scene.itemHref, title: scene.id, type: 'application/geo+json' }));
}

/** An http(s) URL that an Item may carry: one with credentials or blanks is somebody else's mistake, not to be published. */
function isPublicUrl(href: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(href) || !URL.canParse(href)) return false;
  const { username, password } = new URL(href);
  return username === '' && password === '';
}
