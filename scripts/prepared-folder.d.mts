/**
 * Returns the folder `name` in node_modules/.cache. `fill(draft)` of `script` fills the folder once for the current
 * sources.
 */
export function preparedFolder(name: string, script: string, packages: readonly string[]): Promise<string>;
