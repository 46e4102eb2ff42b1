/**
 * Returns the folder `name` in node_modules/.cache, which the function `fill(draft)` of `script` fills once for the
 * current sources of the script, of `packages`, and of the packages that these depend on.
 */
export function preparedFolder(name: string, script: string, packages: readonly string[]): Promise<string>;
