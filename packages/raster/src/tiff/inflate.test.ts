import { constants, deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKernels, INFLATE_SLACK, INFLATE_STATE, type Kernels, SLACK } from '../pixels/kernels.ts';

const CAPACITY = 200_000;
const STORED = 220_000;
const GUARD = 64;

let kernels: Kernels;
let stored: number;
let target: number;

beforeAll(() => {
  kernels = createKernels();
  stored = kernels.alloc(STORED + SLACK);
  // Room for bytes before the output.
  kernels.alloc(32_768);
  target = kernels.alloc(CAPACITY + INFLATE_SLACK + GUARD);
});

/**
 * Decompresses with the kernel; returns null if the kernel refuses the stream. Checks that the kernel writes no byte
 * after the memory that it may use.
 */
function inflate(stream: Uint8Array, capacity: number): Uint8Array | null {
  kernels.u8(stored, stream.length).set(stream);
  const guard = target + capacity + INFLATE_SLACK;
  kernels.u8(guard, GUARD).fill(0xa5);
  const length = kernels.run.inflate(stored, stream.length, target, capacity);
  expect(kernels.u8(guard, GUARD).every((byte) => byte === 0xa5)).toBe(true);
  return length < 0 ? null : kernels.u8(target, length).slice();
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bytes with runs, repeats at all distances, and noise of `spread` values. */
function sample(next: () => number, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const spread = 1 + Math.floor(next() ** 3 * 256);
  for (let at = 0; at < size;) {
    const length = Math.min(size - at, 1 + Math.floor(next() ** 4 * 1000));
    const kind = next();
    if (kind < 0.3) out.fill(Math.floor(next() * 256), at, at + length);
    else if (kind < 0.6 && at > 0) {
      const distance = 1 + Math.floor(next() ** 3 * Math.min(at, 32_768));
      for (let i = 0; i < length; i++) out[at + i] = out[at + i - distance]!;
    } else for (let i = 0; i < length; i++) out[at + i] = Math.floor(next() * spread);
    at += length;
  }
  return out;
}

/**
 * Bytes of 16-bit differences, as tiles of satellite images have them. Most of their symbols are literals and short
 * matches, which the kernel decodes without branches after the first 32 KB.
 */
function differences(next: () => number, size: number): Uint8Array {
  const spread = 2 ** (4 + 3 * next());
  const values = Int16Array.from({ length: (size + 1) >> 1 }, () => {
    const noise = next() + next() + next() - 1.5;
    // Some long runs and repeats, so that also long matches, and near ones, occur.
    return next() < 0.001 ? 0 : Math.round(noise * spread);
  });
  const bytes = new Uint8Array(values.buffer, 0, size);
  for (let at = 1000; at + 600 < size; at += 1 + Math.floor(next() * 20_000)) {
    if (next() < 0.5) bytes.fill(7, at, at + Math.floor(next() * 600));
    else bytes.copyWithin(at, at - 1 - Math.floor(next() * 12), at + Math.floor(next() * 12));
  }
  return bytes;
}

const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
const STRATEGIES = [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED];

function streamOf(next: () => number, bytes: Uint8Array): Buffer {
  const strategy = STRATEGIES[Math.floor(next() * STRATEGIES.length)]!;
  const windowBits = 9 + Math.floor(next() * 7);
  return deflateSync(bytes, { level: Math.floor(next() * 10), strategy, windowBits });
}

/**
 * Decompresses in calls of random lengths of input and output. Between the calls, the memory is overwritten, except the
 * last 32 KB of output and the state of the kernel. Returns null if the kernel refuses the stream.
 */
function inflateInParts(next: () => number, stream: Uint8Array, capacity: number): Uint8Array | null {
  const { run } = kernels;
  run.startInflate();
  let [used, done] = [0, 0];
  const parts: Buffer[] = [];
  for (let calls = 0; calls < 100_000; calls++) {
    const length = Math.min(stream.length - used, 1 + Math.floor(next() ** 3 * 5000) + (calls > 50 ? 500 : 0));
    const isEnd = used + length === stream.length;
    kernels.u8(stored, length).set(stream.subarray(used, used + length));
    const limit = Math.min(capacity + 1, done + 1 + Math.floor(next() ** 3 * 50_000));
    const guard = target + limit + INFLATE_SLACK;
    kernels.u8(guard, GUARD).fill(0xa5);
    const before = done;
    done = run.inflateMore(stored, length, isEnd ? 1 : 0, target, done, limit);
    expect(kernels.u8(guard, GUARD).every((byte) => byte === 0xa5)).toBe(true);
    if (done < 0 || done > capacity) return null;
    used += run.usedBytes();
    parts.push(Buffer.from(kernels.u8(target + before, done - before)));
    const state = kernels.u8(run.stateAt(), INFLATE_STATE).slice();
    if (isEnd && done < limit) return Buffer.concat(parts);
    const last = kernels.u8(target + Math.max(0, done - 32_768), Math.min(done, 32_768)).slice();
    kernels.u8(target, capacity).fill(0xee);
    kernels.run.inflate(stored, 8, target, 100);
    kernels.u8(target + done - last.length, last.length).set(last);
    kernels.u8(run.stateAt(), INFLATE_STATE).set(state);
  }
  throw new Error('the kernel makes no progress');
}

describe('inflate kernel', () => {
  it('equals zlib if input and output come in parts of random lengths', () => {
    const next = random(17);
    for (let round = 0; round < 200; round++) {
      const bytes = sample(next, Math.floor(next() ** 2 * CAPACITY));
      const result = inflateInParts(next, streamOf(next, bytes), bytes.length);
      expect(result).not.toBeNull();
      expect(Buffer.compare(result!, bytes)).toBe(0);
    }
  });

  it('accepts no damaged stream that zlib would refuse, if the stream comes in parts', () => {
    const next = random(18);
    for (let round = 0; round < 3000; round++) {
      const bytes = sample(next, Math.floor(next() * 3000));
      const stream = streamOf(next, bytes);
      stream[Math.floor(next() * stream.length)] = Math.floor(next() * 256);
      const result = inflateInParts(next, stream, 4000);
      if (result !== null)
        expect(Buffer.compare(result, inflateRawSync(stream.subarray(2), { windowBits: 15 }))).toBe(0);
    }
  });

  it('equals zlib for differences of pixels, as a whole and in parts of random lengths', () => {
    const next = random(21);
    for (let round = 0; round < 150; round++) {
      const bytes = differences(next, 40_000 + Math.floor(next() * (CAPACITY - 40_000)));
      const stream = deflateSync(bytes, { level: 1 + Math.floor(next() * 9) });
      const [whole, parts] = [inflate(stream, bytes.length), inflateInParts(next, stream, bytes.length)];
      expect(whole !== null && Buffer.compare(whole, bytes) === 0, `round ${round}`).toBe(true);
      expect(parts !== null && Buffer.compare(parts, bytes) === 0, `round ${round}, in parts`).toBe(true);
    }
  });

  it('accepts no damaged stream of differences that zlib would refuse, and writes only where it may', () => {
    const next = random(22);
    let refused = 0;
    for (let round = 0; round < 400; round++) {
      const bytes = differences(next, 40_000 + Math.floor(next() * 60_000));
      const stream = deflateSync(bytes, { level: 1 + Math.floor(next() * 9) });
      const changes = 1 + Math.floor(next() * 3);
      for (let i = 0; i < changes; i++) stream[Math.floor(next() * stream.length)] = Math.floor(next() * 256);
      const end = next() < 0.2 ? Math.floor(next() * stream.length) : stream.length;
      const result = inflate(stream.subarray(0, end), CAPACITY);
      if (result === null) refused++;
      else expect(Buffer.compare(result, inflateRawSync(stream.subarray(2), { windowBits: 15 }))).toBe(0);
    }
    expect(refused).toBeGreaterThan(350);
  });

  it('refuses a short match with bytes before the output', () => {
    const next = random(23);
    for (let round = 0; round < 50; round++) {
      // Bytes of the dictionary occur only once in the output.
      const dictionary = Uint8Array.from({ length: 32_768 }, () => 200 + Math.floor(next() * 50));
      const bytes = Uint8Array.from({ length: 60_000 }, (_, i) => (i % 2 === 0 ? next() * 60 : 0));
      const at = 5000 + Math.floor(next() * 20_000);
      bytes.set(dictionary.subarray(at + 1000, at + 1004), at);
      const raw = deflateRawSync(bytes, { dictionary });
      const checksum = deflateSync(bytes).subarray(-4);
      kernels.u8(target - dictionary.length, dictionary.length).set(dictionary);
      expect(inflate(Buffer.concat([Buffer.from([0x78, 0x9c]), raw, checksum]), bytes.length)).toBeNull();
    }
  });

  it('equals zlib for streams of all levels, strategies and window sizes', () => {
    const next = random(11);
    for (let round = 0; round < 600; round++) {
      const bytes = sample(next, Math.floor(next() ** 2 * CAPACITY));
      const result = inflate(streamOf(next, bytes), bytes.length);
      expect(result).not.toBeNull();
      expect(Buffer.compare(result!, bytes)).toBe(0);
    }
  });

  it('refuses a stream with more bytes than the capacity', () => {
    const next = random(12);
    for (let round = 0; round < 200; round++) {
      const bytes = sample(next, 1 + Math.floor(next() * 5000));
      expect(inflate(streamOf(next, bytes), Math.floor(next() * bytes.length))).toBeNull();
    }
  });

  it('ignores bytes after the stream as zlib does, or refuses them', () => {
    const bytes = sample(random(13), 5000);
    const stream = Buffer.concat([deflateSync(bytes), Buffer.from('trailing bytes')]);
    const result = inflate(stream, bytes.length);
    if (result !== null) expect(Buffer.compare(result, inflateSync(stream))).toBe(0);
  });

  it.each([
    ['an empty stream', Buffer.alloc(0)],
    ['another compression method', Buffer.from([0x79, 0x9c, 3, 0, 0, 0, 0, 1])],
    ['a preset dictionary', deflateSync(Buffer.from('abcabcabc'), { dictionary: Buffer.from('abc') })],
    ['an unknown kind of block', Buffer.from([0x78, 0x9c, 7, 0, 0, 0, 0, 1])],
  ])('refuses %s', (_, stream) => {
    expect(inflate(stream, 100)).toBeNull();
  });

  it('refuses every truncated stream', () => {
    const next = random(14);
    for (const strategy of STRATEGIES) {
      const stream = deflateSync(sample(next, 700), { strategy, level: 6 });
      for (let length = 0; length < stream.length; length++)
        expect(inflate(stream.subarray(0, length), 700), `${strategy}: ${length} bytes`).toBeNull();
    }
  });

  it('accepts no damaged stream that zlib would refuse, and writes only where it may', () => {
    const next = random(15);
    let refused = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = sample(next, Math.floor(next() * 3000));
      const stream = streamOf(next, bytes);
      const changes = 1 + Math.floor(next() * 3);
      for (let i = 0; i < changes; i++) stream[Math.floor(next() ** 2 * stream.length)] = Math.floor(next() * 256);
      const result = inflate(stream, 4000);
      if (result === null) refused++;
      // The size of the window in the header only limits memory, so the kernel ignores it.
      else expect(Buffer.compare(result, inflateRawSync(stream.subarray(2), { windowBits: 15 }))).toBe(0);
    }
    expect(refused).toBeGreaterThan(15_000);
  });

  it('is not slow for a stream of many empty blocks', () => {
    // Each block has ten bits: not the last block, fixed codes, end of block. The first bit of the last block is set.
    const blocks = 100_000;
    const bits = `${'0100000000'.repeat(blocks)}1100000000`;
    const body = Buffer.alloc(Math.ceil(bits.length / 8));
    for (let i = 0; i < bits.length; i++) if (bits[i] === '1') body[i >> 3]! |= 1 << (i & 7);
    const stream = Buffer.concat([Buffer.from([0x78, 0x9c]), body, Buffer.from([0, 0, 0, 1])]);
    expect(inflateSync(stream)).toHaveLength(0);
    const before = performance.now();
    expect(inflate(stream, 100)).toHaveLength(0);
    expect(performance.now() - before).toBeLessThan(200);
  });

  it('refuses random bits, and writes only where it may', () => {
    const next = random(16);
    for (let round = 0; round < 20_000; round++) {
      const stream = Uint8Array.from({ length: 8 + Math.floor(next() * 300) }, () => Math.floor(next() * 256));
      stream.set([0x78, 0x9c, (stream[2]! & 0xf8) | 5]);
      expect(inflate(stream, 4000)).toBeNull();
    }
  });
});
