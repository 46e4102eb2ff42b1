/** Memory of an instance. */
export interface WasmMemory {
  /** Detached, and replaced by a new object, when the memory grows. */
  readonly buffer: ArrayBuffer;
  /** Grows by pages of 64 KiB; throws a RangeError when there is no more. */
  grow(pages: number): number;
}

/** The part of the WebAssembly API that is used here: TypeScript declares it in its DOM library only. */
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** Compiles and instantiates a module without imports, at once. */
export function instantiate(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const { WebAssembly: api } = globalThis as unknown as { readonly WebAssembly: WasmApi };
  return new api.Instance(new api.Module(bytes), {}).exports;
}
