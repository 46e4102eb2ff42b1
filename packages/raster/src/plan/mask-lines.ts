import { SLACK } from '../pixels/kernels.ts';
import type { Kernels } from '../pixels/kernels.ts';
import { BLOCK_PIXELS } from './block-function.ts';
import type { Block } from './pane.ts';
import type { BitRows } from './pane-mask.ts';

/** Rows of the mask bits of a pane (part of the grid) in the kernels' memory. */
export type CopiedBits = Omit<BitRows, 'rows'> & { readonly address: number };

/**
 * Addresses in the kernels' memory for the mask of one pane. The compressed bytes (zlib) are copied to `packedAt`, and
 * decompressed to bits at `address`.
 */
export interface BitTarget {
  readonly address: number;
  readonly packedAt: number;
}

/** Decompresses the mask of a pane to bits, and expands the bits of a block to the bytes (0 or 255) for the kernels. */
export class MaskLines {
  readonly #kernels: Kernels;
  readonly #line: number;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#line = kernels.alloc(BLOCK_PIXELS + 2 * SLACK);
  }

  /** Decompresses the result of `packBits` to bits. */
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
