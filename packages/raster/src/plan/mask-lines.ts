import { SLACK } from '../pixels/kernels.ts';
import type { Kernels } from '../pixels/kernels.ts';
import { BLOCK_PIXELS } from './block-function.ts';
import type { Block } from './pane.ts';
import type { BitRows } from './pane-mask.ts';

/** Rows of the mask bits of a pane (part of the grid) in the kernels' memory. */
export type CopiedBits = Omit<BitRows, 'rows'> & { readonly address: number };

/** Memory of a pane for the bits at `address`, and for their packed bytes at `packedAt`. */
export interface BitTarget {
  readonly address: number;
  readonly packedAt: number;
}

/** Converts packed masks to the bytes (0 or 255) that the kernels read, block by block. */
export class MaskLines {
  readonly #kernels: Kernels;
  readonly #line: number;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#line = kernels.alloc(BLOCK_PIXELS + 2 * SLACK);
  }

  /** Unpacks the result of `packBits`. */
  copy(packed: Uint8Array, { stride, rows, shift, col, row }: BitRows, { address, packedAt }: BitTarget): CopiedBits {
    const bytes = stride * rows;
    this.#kernels.u8(packedAt, packed.byteLength).set(packed);
    if (this.#kernels.run.inflate(packedAt, packed.byteLength, address, bytes) !== bytes)
      throw new Error('the compressed mask of a part of the grid cannot be decompressed');
    return { address, stride, shift, col, row };
  }

  /** Writes the mask bytes of one block of a pane to the address `to`. Without `bits`, all bytes are `otherwise`. */
  expand(
    bits: CopiedBits | null,
    block: Block,
    { cols, to, otherwise }: { readonly cols: number; readonly to: number; readonly otherwise: 0 | 255 },
  ): void {
    if (bits === null) {
      this.#kernels.u8(to, block.pixels).fill(otherwise);
      return;
    }
    const { address, stride, col, shift } = bits;
    this.#kernels.run.expandBits(address, stride, col, bits.row + block.row, shift, cols, block.rows, to, this.#line);
  }
}
