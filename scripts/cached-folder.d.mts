/**
 * Returns the folder `name` in `parent`. If it is missing, `create(draft)` fills it, and then all other folders in
 * `parent` are removed as outdated.
 */
export function cachedFolder(
  parent: string,
  name: string,
  create: (draft: string) => Promise<void> | void,
): Promise<string>;
