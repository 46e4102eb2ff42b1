import { loadKernels } from './kernel-module.ts';
import type { KernelExports } from './kernel-module.ts';

/** Bytes after each region of the kernels' memory that their vector loads may read. */
export const SLACK = 64;

/**
 * One instance of the SIMD kernels with its own memory: one per thread, reused for all work of that thread.
 * Addresses remain valid for ever; views (`u8`, ...) only until the next `alloc`, which may move the memory.
 */
export interface Kernels {
  readonly run: KernelExports;
  /** Address of `bytes` new bytes, 64-byte aligned; contents undefined. Throws a RangeError beyond 4 GiB. */
  alloc(bytes: number): number;
  /** Current top of the memory, for `reset`. */
  mark(): number;
  /** Frees all memory allocated since `mark()`. */
  reset(mark: number): void;
  /** The current memory; detached by the next `alloc` that grows it. */
  buffer(): ArrayBuffer;
  u8(address: number, length: number): Uint8Array;
  u16(address: number, length: number): Uint16Array;
  i16(address: number, length: number): Int16Array;
}

const PAGE = 65_536;
const ALIGN = 64;
/** First address that can be allocated: the module itself uses the bytes before it for its constants. */
const FIRST_ADDRESS = 4096;

/** Compiles (about 1 ms) and instantiates the kernels. */
export function createKernels(): Kernels {
  return new KernelMemory(loadKernels());
}

class KernelMemory implements Kernels {
  readonly run: KernelExports;
  #top = FIRST_ADDRESS;

  constructor(run: KernelExports) {
    this.run = run;
  }

  alloc(bytes: number): number {
    const address = this.#top;
    this.#top = Math.ceil((address + bytes) / ALIGN) * ALIGN;
    const missing = this.#top - this.run.memory.buffer.byteLength;
    if (missing > 0) this.run.memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  mark(): number {
    return this.#top;
  }

  reset(mark: number): void {
    this.#top = mark;
  }

  buffer(): ArrayBuffer {
    return this.run.memory.buffer;
  }

  u8(address: number, length: number): Uint8Array {
    return new Uint8Array(this.run.memory.buffer, address, length);
  }

  u16(address: number, length: number): Uint16Array {
    return new Uint16Array(this.run.memory.buffer, address, length);
  }

  i16(address: number, length: number): Int16Array {
    return new Int16Array(this.run.memory.buffer, address, length);
  }
}
