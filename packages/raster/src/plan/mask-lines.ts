import { SLACK } from '../pixels/kernels.ts';
import type { Kernels } from '../pixels/kernels.ts';
import { BLOCK_PIXELS } from './block-function.ts';
import type { Block } from './pane.ts';
import { unpackBits } from './pane-mask.ts';
import type { BitRows } from './pane-mask.ts';

/** Rows of the mask bits of a pane (part of the grid) in the kernels' memory. */
export type CopiedBits = Omit<BitRows, 'rows'> & { readonly address: number };

/** Converts packed masks to the bytes (0 or 255) that the kernels read, block by block. */
export class MaskLines {
  readonly #kernels: Kernels;
  readonly #line: number;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#line = kernels.alloc(BLOCK_PIXELS + 2 * SLACK);
  }

  /** Unpacks bits to an address at which the caller has allocated memory. */
  copy(packed: Uint8Array, { stride, rows, shift, col, row }: BitRows, address: number): CopiedBits {
    const bits = unpackBits(packed);
    this.#kernels.u8(address, stride * rows).set(bits.subarray(0, stride * rows));
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
