import { setFlagsFromString } from 'node:v8';

/** URL of a worker's file next to the importing file: `.ts` if this process runs the sources, `.js` in a build. */
export function workerUrl(name: string, importer: string): URL {
  if (!importer.endsWith('.ts')) return new URL(`./${name}.js`, importer);
  keepWrappersApart();
  return new URL(`./${name}.ts`, importer);
}

/**
 * Sets an option of V8 that prevents a crash (decision 123). Node strips types from modules by WebAssembly, separately in each thread.
 * After 1,000 calls of an import of this WebAssembly, V8 compiles a wrapper that all threads of the process share. If one thread requests
 * the wrapper while the last thread that uses it ends, V8 frees the wrapper twice, and the process dies of SIGTRAP or SIGSEGV. With this
 * option each thread keeps the generic wrapper, which takes some 15 ns more per call.
 */
function keepWrappersApart(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');
}
