import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/**
 * URL of the file of a worker. In the sources: `name` with `.ts`, relative to `importer`. In a build: the last part of
 * `name` with `.js`, next to `importer`. `owner`: package name for the error.
 * @throws Error if a bundler has moved the importing file.
 */
export function workerUrl(name: string, importer: string | undefined, owner: string): URL {
  if (importer?.endsWith('.ts') !== true) return packageFile(`./${name.replace(/^.*\//, '')}.js`, importer, owner);
  keepWrappersApart();
  return new URL(`${name}.ts`, importer);
}

/**
 * URL of a file of package `owner`.
 * @throws Error if a bundler has moved the importing file. `importer` is undefined in a CommonJS bundle.
 */
export function packageFile(path: string, importer: string | undefined, owner: string): URL {
  const url = importer === undefined ? undefined : new URL(path, importer);
  if (url !== undefined && existsSync(url)) return url;
  const place = url === undefined ? 'a bundle of CommonJS' : new URL('.', url).pathname;
  throw new Error(
    `${owner} does not find its file ${path.replace(/^.*\//, '')} from ${place}: a bundler has moved its code. ` +
      `Leave the package out of the bundle, for esbuild with --external:${owner}`,
  );
}

/**
 * Prevents a crash of threads that run `.ts` files. Without the flag below, these threads share a WebAssembly wrapper,
 * and V8 frees the wrapper twice (decision 123).
 */
function keepWrappersApart(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');
}
