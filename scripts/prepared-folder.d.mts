/**
 * Returns the folder `name` in node_modules/.cache. The function `fill` of the module `script` fills it once for the
 * current sources of `script` and of `packages`.
 */
export function preparedFolder(name: string, script: string, packages: readonly string[]): Promise<string>;
