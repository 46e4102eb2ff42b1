import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/**
 * URL of a worker's file. If this process runs the sources, `name` is relative to the importing file. If this process runs a build,
 * all files of package `owner` are in one folder. @throws Error if a bundler has moved the importing file away from this folder.
 */
export function workerUrl(name: string, importer: string | undefined, owner: string): URL {
  if (importer?.endsWith('.ts') !== true) return packageFile(`./${name.replace(/^.*\//, '')}.js`, importer, owner);
  keepWrappersApart();
  return new URL(`${name}.ts`, importer);
}

/**
 * URL of a file of package `owner`, relative to the importing file. @throws Error if the file is missing because a bundler has moved the
 * importing file; `importer` is undefined in a bundle of CommonJS.
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
 * Sets an option of V8 that prevents a crash (decision 123). Node strips types from modules by WebAssembly, separately in each thread.
 * After 1,000 calls of an import of this WebAssembly, V8 compiles a wrapper that all threads of the process share. One thread may request
 * the wrapper at the moment at which the last thread with this wrapper ends. V8 then frees the wrapper twice, and the process dies of
 * SIGTRAP or SIGSEGV. With this option, each thread keeps using the generic wrapper. A call then takes some 15 ns more.
 */
function keepWrappersApart(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');
}
