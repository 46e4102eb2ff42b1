/** Memory of a WebAssembly instance. */
export interface WasmMemory {
  /** Bytes of the memory; a new buffer replaces it when the memory grows. */
  readonly buffer: ArrayBuffer;
  /** Grows by pages of 64 KiB; throws a RangeError when no more memory is available. */
  grow(pages: number): number;
}

/** The used part of the WebAssembly API, which TypeScript declares only in its DOM library. */
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

declare const WebAssembly: WasmApi;

/**
 * Creates a function that makes a new instance of a WebAssembly module (`base64`) and returns its functions. It
 * throws an Error if a function in `exported` is missing.
 */
export function wasmLoader<E extends object>(base64: string, exported: readonly (keyof E & string)[]): () => E {
  let module: object | undefined;
  return () => {
    module ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    const { exports } = new WebAssembly.Instance(module, {});
    if (isComplete<E>(exports, exported)) return exports;
    const missing = exported.filter((name) => !(name in exports));
    throw new Error(
      `the WebAssembly kernels lack the functions ${missing.join(', ')}; build them with \`npm run kernels\``,
    );
  };
}

const isComplete = <E extends object>(exports: object, names: readonly (keyof E & string)[]): exports is E =>
  names.every((name) => name in exports);
