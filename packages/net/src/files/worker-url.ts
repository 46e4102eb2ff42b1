import { setFlagsFromString } from 'node:v8';

/** URL of a worker's file next to its importer: `.ts` when sources run, `.js` when built. */
export function workerUrl(name: string, importer: string): URL {
  if (!importer.endsWith('.ts')) return new URL(`./${name}.js`, importer);
  keepWrappersApart();
  return new URL(`./${name}.ts`, importer);
}

/**
 * Limits compiled wrappers to one thread. Node strips types from a module by WebAssembly, again in each thread. After 1,000 calls of one of
 * its imports V8 compiles a wrapper that all threads of the process share. If one thread requests it while the last user ends, V8 frees it
 * twice, and the process dies of SIGTRAP or SIGSEGV (decision 123). With this limit each thread keeps the generic wrapper, which takes some
 * 15 ns more a call.
 */
function keepWrappersApart(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');
}
