import { setFlagsFromString } from 'node:v8';

/** File of a worker next to its importer: `.ts` when sources run, `.js` when built. */
export function workerUrl(name: string, importer: string): URL {
  if (!importer.endsWith('.ts')) return new URL(`./${name}.js`, importer);
  keepWrappersApart();
  return new URL(`./${name}.ts`, importer);
}

/**
 * Node takes the types out of a module by WebAssembly, again in each thread. After 1,000 calls of one of its imports V8 compiles a wrapper
 * that all threads of the process share. Where one thread asks for it while the last that had it ends, V8 frees it twice, and the
 * process dies of SIGTRAP or SIGSEGV (decision 123). Beyond the limit each thread keeps the generic wrapper: some 15 ns more a call.
 */
function keepWrappersApart(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647');
}
