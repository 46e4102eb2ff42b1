/** Returns the folder `name` in `parent`, which `create(draft)` fills if it is missing. */
export function cachedFolder(
  parent: string,
  name: string,
  create: (draft: string) => Promise<void> | void,
): Promise<string>;
