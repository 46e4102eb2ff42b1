import type { PixelArray } from './pixel-array.ts';
import type { PixelSize } from './pixel-window.ts';

/** Undoes horizontal differencing (TIFF predictor 2) in place; the reference for the kernels, used as it is for 32-bit samples. */
export function undoHorizontal(samples: PixelArray, { cols, rows }: PixelSize): void {
  for (let row = 0; row < rows; row++) {
    const base = row * cols;
    for (let i = base + 1; i < base + cols; i++) samples[i] = samples[i]! + samples[i - 1]!;
  }
}

/**
 * Undoes the floating-point predictor (3) in place: each row is byte-differenced planes, most significant first.
 * Source: Adobe Photoshop TIFF Technical Note 3. The result is little-endian.
 */
export function undoFloating(bytes: Uint8Array, { cols, rows }: PixelSize, sampleBytes: number): void {
  const width = cols * sampleBytes;
  const plane = new Uint8Array(width);
  for (let row = 0; row < rows; row++) {
    const base = row * width;
    let sum = 0;
    for (let i = 0; i < width; i++) plane[i] = sum = (sum + bytes[base + i]!) & 0xff;
    for (let byte = 0; byte < sampleBytes; byte++) {
      const from = (sampleBytes - 1 - byte) * cols;
      for (let i = 0; i < cols; i++) bytes[base + i * sampleBytes + byte] = plane[from + i]!;
    }
  }
}

/** Reverses the bytes of each sample in place. */
export function swapBytes(bytes: Uint8Array, sampleBytes: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sampleBytes === 2) buffer.swap16();
  else if (sampleBytes === 4) buffer.swap32();
  else if (sampleBytes === 8) buffer.swap64();
}
