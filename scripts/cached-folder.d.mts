/** Returns the folder `name` in `parent`. If the folder is missing, `create(draft)` fills it. */
export function cachedFolder(
  parent: string,
  name: string,
  create: (draft: string) => Promise<void> | void,
): Promise<string>;
