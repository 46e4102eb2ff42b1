import { DomainError } from '@headwater/core/errors';
import { nodataRange } from '../pixels/nodata.ts';
import type { PixelArray } from '../pixels/pixel-array.ts';

/** Code of pixels without a value: nodata, NaN, or outside of the raster. */
export const NO_CODE = 255;

/** Codes 0-254 for the values of a class raster, in the order of their first appearance. */
export class PixelCodes {
  readonly #href: string;
  readonly #nodata: number | null;
  readonly #codes = new Map<number, number>();
  readonly #values: number[] = [];
  readonly #bytes = new Int16Array(256).fill(-1);

  /** `nodata` gets the code `NO_CODE`. `href` is the name of the raster in messages. */
  constructor(href: string, nodata: number | null) {
    this.#href = href;
    this.#nodata = nodata;
    if (nodata === null) return;
    if (Number.isInteger(nodata) && nodata >= 0 && nodata < 256) this.#bytes[nodata] = NO_CODE;
  }

  /** Raster value of each code that was assigned so far. */
  get values(): readonly number[] {
    return this.#values;
  }

  /** Writes the code of each pixel. Throws `input_data` for more than 255 different values. */
  encode(pixels: PixelArray, out: Uint8Array): void {
    if (pixels instanceof Uint8Array) return this.#encodeBytes(pixels, out);
    const { least, most } = nodataRange(this.#nodata, pixels instanceof Float32Array ? 'float32' : 'float64');
    let [value, code] = [Number.NaN, NO_CODE];
    for (let i = 0; i < pixels.length; i += 1) {
      // The last code is reused, because neighbouring pixels are mostly equal and a look-up is slow.
      if (pixels[i] !== value) {
        value = pixels[i]!;
        code = value >= least && value <= most ? NO_CODE : this.#codeOf(value);
      }
      out[i] = code;
    }
  }

  #encodeBytes(pixels: Uint8Array, out: Uint8Array): void {
    const bytes = this.#bytes;
    for (let i = 0; i < pixels.length; i += 1) {
      const value = pixels[i]!;
      let code = bytes[value]!;
      if (code < 0) {
        code = this.#codeOf(value);
        bytes[value] = code;
      }
      out[i] = code;
    }
  }

  #codeOf(value: number): number {
    if (Number.isNaN(value)) return NO_CODE;
    const known = this.#codes.get(value);
    if (known !== undefined) return known;
    const code = this.#values.length;
    if (code >= NO_CODE) {
      throw new DomainError(
        'input_data',
        `${this.#href}: it has more than ${NO_CODE} different values, so it is not a raster of classes; use a raster whose pixels are class codes`,
      );
    }
    this.#codes.set(value, code);
    this.#values.push(value);
    return code;
  }
}
