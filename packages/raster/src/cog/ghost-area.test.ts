import { describe, expect, it } from 'vitest';
import { frameTile, GHOST_AREA } from './ghost-area.ts';

describe('GHOST_AREA', () => {
  it('declares the exact length of the bytes after its first line', () => {
    const text = new TextDecoder().decode(GHOST_AREA);
    const [, stated, rest] = /^GDAL_STRUCTURAL_METADATA_SIZE=(\d{6}) bytes\n(.*)$/s.exec(text) ?? [];
    expect(Number(stated)).toBe(rest?.length);
    // GDAL 3.6 writes exactly these bytes, and some readers expect them.
    expect(stated).toBe('000140');
    expect(rest?.endsWith('KNOWN_INCOMPATIBLE_EDITION=NO\n ')).toBe(true);
  });
});

describe('frameTile', () => {
  it('writes the size of a tile before the tile, and repeats the last 4 bytes of the tile after it', () => {
    expect([...frameTile(Uint8Array.of(9, 8, 7, 6, 5))]).toEqual([5, 0, 0, 0, 9, 8, 7, 6, 5, 8, 7, 6, 5]);
  });
});
