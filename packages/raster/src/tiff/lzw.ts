const CLEAR = 256;
const END = 257;
const MAX_CODE = 4096;

/**
 * TIFF LZW (MSB first, codes grow one early), at most `out.length` bytes. Returns the bytes written.
 * Throws a RangeError on a code that cannot occur. Source: TIFF 6.0, section 13.
 */
export function undoLzw(bytes: Uint8Array, out: Uint8Array): number {
  const start = new Int32Array(MAX_CODE);
  const length = new Int32Array(MAX_CODE);
  let [bits, bitCount, width, next, at] = [0, 0, 9, END + 1, 0];
  let previous = -1;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xff_ffff;
    bitCount += 8;
    if (bitCount < width) continue;
    bitCount -= width;
    const code = (bits >> bitCount) & ((1 << width) - 1);
    if (code === END || at >= out.length) break;
    if (code === CLEAR) {
      [width, next, previous] = [9, END + 1, -1];
      continue;
    }
    const wrote = emit({ code, previous, next }, { start, length }, { out, at });
    if (previous >= 0 && next < MAX_CODE) {
      start[next] = at - sizeOf(previous, length);
      length[next] = sizeOf(previous, length) + 1;
      next += 1;
    }
    at += wrote;
    previous = code;
    if (next + 1 >= 1 << width && width < 12) width += 1;
  }
  return Math.min(at, out.length);
}

function sizeOf(code: number, length: Int32Array): number {
  return code < CLEAR ? 1 : length[code]!;
}

/** Writes the string of one code; a code not yet in the table is the previous string and its own first byte. */
function emit(
  { code, previous, next }: { code: number; previous: number; next: number },
  { start, length }: { start: Int32Array; length: Int32Array },
  { out, at }: { out: Uint8Array; at: number },
): number {
  if (code < CLEAR) {
    out[at] = code;
    return 1;
  }
  if (code > next || (code === next && previous < 0)) throw new RangeError(`LZW code ${code} before it was defined`);
  const size = code === next ? sizeOf(previous, length) + 1 : sizeOf(code, length);
  const from = code === next ? at - (size - 1) : start[code]!;
  for (let i = 0; i < size && at + i < out.length; i++) out[at + i] = out[from + i]!;
  return size;
}
