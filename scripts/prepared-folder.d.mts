/**
 * Returns the folder `name` in node_modules/.cache, which `fill(draft)` of `script` fills once for the current sources.
 */
export function preparedFolder(name: string, script: string, packages: readonly string[]): Promise<string>;
