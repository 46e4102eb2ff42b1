import type { PixelSize } from './pixel-window.ts';

/** Arrays whose elements wrap around like the differences of a predictor. */
type Words = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array;

/**
 * Undoes horizontal differencing (TIFF predictor 2) in place. The tests of the kernels compare with it; it is also used for samples of 32 bits
 * and for pixels of several samples (`step`). Differences are of the samples' bits, so floats must be passed as integers of their size.
 */
export function undoHorizontal(samples: Words, { cols, rows }: PixelSize, step = 1): void {
  const width = cols * step;
  for (let base = 0; base < width * rows; base += width) {
    for (let i = base + step; i < base + width; i++) samples[i] = samples[i]! + samples[i - step]!;
  }
}

/**
 * `undoHorizontal` of samples of 64 bits. Each sample is two words, the low word first; the carry of the low word is added to the high
 * word.
 */
export function undoHorizontal64(words: Uint32Array, { cols, rows }: PixelSize, step = 1): void {
  const [width, back] = [2 * cols * step, 2 * step];
  for (let base = 0; base < width * rows; base += width) {
    for (let i = base + back; i < base + width; i += 2) {
      const low = words[i]! + words[i - back]!;
      words[i] = low;
      words[i + 1] = words[i + 1]! + words[i + 1 - back]! + (low > 0xffff_ffff ? 1 : 0);
    }
  }
}

/**
 * Undoes the floating-point predictor (3) in place: each row is byte-differenced planes, most significant first; `step` is the number of
 * samples of a pixel. Source: Adobe Photoshop TIFF Technical Note 3. The result is little-endian.
 */
export function undoFloating(
  bytes: Uint8Array,
  { cols, rows, step = 1 }: PixelSize & { readonly step?: number },
  sampleBytes: number,
): void {
  const samples = cols * step;
  const width = samples * sampleBytes;
  const plane = new Uint8Array(width);
  for (let row = 0; row < rows; row++) {
    const base = row * width;
    for (let i = 0; i < width; i++) plane[i] = bytes[base + i]! + (i < step ? 0 : plane[i - step]!);
    for (let byte = 0; byte < sampleBytes; byte++) {
      const from = (sampleBytes - 1 - byte) * samples;
      for (let i = 0; i < samples; i++) bytes[base + i * sampleBytes + byte] = plane[from + i]!;
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

/** Moves one sample of each pixel to the front, in place, so that the moved samples form a plane. */
export function pickSample(
  bytes: Uint8Array,
  pixels: number,
  { sampleBytes, step, sample }: { readonly sampleBytes: number; readonly step: number; readonly sample: number },
): void {
  for (let i = 0; i < pixels; i++) {
    const from = (i * step + sample) * sampleBytes;
    for (let byte = 0; byte < sampleBytes; byte++) bytes[i * sampleBytes + byte] = bytes[from + byte]!;
  }
}

/** Unpacks bits to bytes 0 and 1; each row begins with a new byte, the highest bit first. */
export function unpackBits(packed: Uint8Array, { cols, rows }: PixelSize, out: Uint8Array): void {
  const stride = Math.ceil(cols / 8);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++)
      out[row * cols + col] = (packed[row * stride + (col >> 3)]! >> (7 - (col & 7))) & 1;
  }
}
