import type * as Lerc from 'lerc';
import { sampleBytes, type Dtype } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';

type Decoder = Pick<typeof Lerc, 'decode' | 'load'>;

let decoder: Decoder | null = null;

/**
 * Loads the package `lerc` (Esri, Apache-2.0), an optional peer dependency, once per thread. Throws an Error with a
 * remedy if it is not installed.
 */
export async function loadLerc(): Promise<void> {
  if (decoder !== null) return;
  try {
    const lerc: Decoder = await import('lerc');
    await lerc.load();
    decoder = lerc;
  } catch (cause) {
    throw new Error(
      'its compression LERC needs the npm package lerc, which cannot be loaded; run `npm install lerc@4`, or rewrite the file with ' +
        '`gdal_translate -of COG -co COMPRESS=DEFLATE`',
      { cause },
    );
  }
}

interface LercTile extends PixelSize {
  readonly dtype: Dtype;
  readonly step: number;
}

const TYPES: readonly Dtype[] = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'float32', 'float64'];

/** Length of the shortest header (version 2), bytes. In all versions, the read fields are within this length. */
const LEAST_BYTES = 58;

/** Header of a blob of version 2 to 6. Source: `Lerc2::ReadHeader` of https://github.com/Esri/lerc. */
interface LercHeader extends LercTile {
  readonly bytes: number;
}

function headerOf(blob: Uint8Array): LercHeader | null {
  const text = String.fromCharCode(...blob.subarray(0, 6));
  if (text !== 'Lerc2 ' || blob.length < LEAST_BYTES) return null;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  const version = view.getInt32(6, true);
  if (version < 2 || version > 6) return null;
  const at = version >= 3 ? 14 : 10;
  const rest = version >= 4 ? at + 12 : at + 8;
  const dtype = TYPES[view.getInt32(rest + 12, true)];
  if (dtype === undefined) return null;
  return {
    rows: view.getInt32(at, true),
    cols: view.getInt32(at + 4, true),
    step: version >= 4 ? view.getInt32(at + 8, true) : 1,
    bytes: view.getInt32(rest + 8, true),
    dtype,
  };
}

/**
 * Decodes the samples of a tile (pixel by pixel, little-endian). Call `loadLerc` before. Float samples without data
 * become NaN, as in GDAL. Throws an Error with the problem of the bytes.
 */
export function undoLerc(blob: Uint8Array, tile: LercTile): Uint8Array {
  if (decoder === null) throw new Error('the decoder of LERC is not loaded');
  const found = headerOf(blob);
  if (found === null) throw new Error('it is not LERC of version 2 to 6');
  const { cols, rows, step, dtype } = tile;
  // libtiff stores an alpha band with only 0 and 255 as the mask of the blob.
  const isAlphaMask = dtype === 'uint8' && step > 1 && found.step === step - 1;
  const isStep = found.step === step || isAlphaMask;
  if (found.cols !== cols || found.rows !== rows || !isStep || found.dtype !== dtype)
    throw new Error(
      `its LERC blob has ${found.cols} x ${found.rows} pixels of ${found.step} ${found.dtype}, not ${cols} x ${rows} of ${step} ${dtype}`,
    );
  if (found.bytes > blob.length || found.bytes < LEAST_BYTES)
    throw new Error(`its LERC blob has ${blob.length} bytes, but its header says ${found.bytes}`);
  // Further blobs are not decoded, because each would add as many samples again.
  const { pixels, mask } = decoder.decode(blob.subarray(0, found.bytes), { returnInterleaved: true });
  const [samples] = pixels;
  const length = cols * rows * found.step;
  if (samples === undefined || samples.length !== length || samples.BYTES_PER_ELEMENT !== sampleBytes(dtype))
    throw new Error('its LERC blob has another number of samples');
  if (mask !== null && (samples instanceof Float32Array || samples instanceof Float64Array))
    for (let i = 0; i < length; i++) if (mask[Math.floor(i / step)] === 0) samples[i] = Number.NaN;
  if (isAlphaMask) return withAlpha(samples, mask, step);
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Appends an alpha sample to each pixel: 255 with data, otherwise 0. Without `mask`, all pixels have data. */
function withAlpha(samples: ArrayLike<number>, mask: Uint8Array | null, step: number): Uint8Array {
  const others = step - 1;
  const all = new Uint8Array((samples.length / others) * step);
  for (let pixel = 0, at = 0; at < all.length; pixel++) {
    for (let sample = 0; sample < others; sample++) all[at++] = samples[pixel * others + sample] ?? 0;
    all[at++] = mask === null || mask[pixel] !== 0 ? 255 : 0;
  }
  return all;
}
