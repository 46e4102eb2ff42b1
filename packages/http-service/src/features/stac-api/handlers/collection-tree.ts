import { placeSlug } from '@headwater/core';

/** The paths of tehsils at or below a path. */
function tehsilsAt(paths: readonly string[], path: string): readonly string[] {
  return paths.filter((each) => each === path || each.startsWith(`${path}/`));
}

/**
 * The path under which a Collection is published, for one that may be spelt as version 0.1 spelt it: without dots, and one
 * underscore for several. The directory has no two places whose names differ in these only.
 */
export function publishedPath(paths: readonly string[], path: string): string | undefined {
  if (tehsilsAt(paths, path).length > 0) return path;
  const asked = spelling(path);
  const depth = path.split('/').length;
  const found = paths.map((each) => each.split('/').slice(0, depth).join('/'));
  return found.find((each) => spelling(each) === asked);
}

function spelling(path: string): string {
  return path.split('/').map(placeSlug).join('/');
}
