import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompress, discard } from './decompress.ts';

describe('discarding what was decompressed', () => {
  const tile = Uint8Array.from({ length: 200_000 }, (_, i) => i % 251);

  it('frees a tile at once', () => {
    const raw = decompress('deflate', deflateSync(tile), tile.length);
    expect(raw).toEqual(Buffer.from(tile));
    discard('deflate', raw);
    expect(raw.byteLength).toBe(0);
  });

  it('leaves bytes that were not compressed: the next tile is read into the same ones', () => {
    const bytes = tile.slice();
    discard('none', decompress('none', bytes, tile.length));
    expect(bytes).toEqual(tile);
  });

  it('leaves short ones: they may lie in the pool of all buffers', () => {
    const neighbour = Buffer.from('beside it in the pool');
    const few = tile.slice(0, 100);
    discard('deflate', decompress('deflate', deflateSync(few), few.length));
    expect(neighbour.toString()).toBe('beside it in the pool');
  });
});
