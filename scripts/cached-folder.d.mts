/**
 * Returns the folder `name` in `parent`. If it is missing, `create(draft)` fills a draft folder, or this process waits
 * for another process that fills it.
 */
export function cachedFolder(
  parent: string,
  name: string,
  create: (draft: string) => Promise<void> | void,
): Promise<string>;
