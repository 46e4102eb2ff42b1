/** Memory of a WebAssembly instance. */
export interface WasmMemory {
  /** Bytes of the memory. When the memory grows, a new buffer replaces this one, which is detached. */
  readonly buffer: ArrayBuffer;
  /** Grows by pages of 64 KiB; throws a RangeError when no more memory is available. */
  grow(pages: number): number;
}

/** The part of the WebAssembly API that is used here. It is declared here because TypeScript has it only in its DOM library. */
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

declare const WebAssembly: WasmApi;

/** Compiled modules of this thread, by their base64. */
const MODULES = new Map<string, object>();

function compiled(base64: string): object {
  const known = MODULES.get(base64);
  if (known !== undefined) return known;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const module = new WebAssembly.Module(bytes);
  MODULES.set(base64, module);
  return module;
}

/**
 * Instantiates the WebAssembly kernels of a package from base64. The first call of a thread also compiles them, which takes
 * about 1 ms. Throws an Error if a function is missing.
 */
export function loadWasm<E extends object>(base64: string, exported: readonly (keyof E & string)[]): E {
  const { exports } = new WebAssembly.Instance(compiled(base64), {});
  if (isComplete<E>(exports, exported)) return exports;
  const missing = exported.filter((name) => !(name in exports));
  throw new Error(`the kernels lack ${missing.join(', ')}; run \`npm run kernels\``);
}

const isComplete = <E extends object>(exports: object, names: readonly (keyof E & string)[]): exports is E =>
  names.every((name) => name in exports);
