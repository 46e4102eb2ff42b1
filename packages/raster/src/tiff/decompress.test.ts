import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompress, discard } from './decompress.ts';

describe('discard', () => {
  const tile = Uint8Array.from({ length: 200_000 }, (_, i) => i % 251);

  it('frees a tile immediately', () => {
    const raw = decompress('deflate', deflateSync(tile), tile.length);
    expect(raw).toEqual(Buffer.from(tile));
    discard('deflate', raw);
    expect(raw.byteLength).toBe(0);
  });

  it('does not free bytes that were not compressed, because the next tile is read into these bytes', () => {
    const bytes = tile.slice();
    discard('none', decompress('none', bytes, tile.length));
    expect(bytes).toEqual(tile);
  });

  it('does not free short tiles, because they may be in the buffer pool', () => {
    const neighbour = Buffer.from('next to it in the pool');
    const few = tile.slice(0, 100);
    discard('deflate', decompress('deflate', deflateSync(few), few.length));
    expect(neighbour.toString()).toBe('next to it in the pool');
  });
});
