import type { Rgba } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { createPainter, type PaintedRaster } from './painter.ts';
import type { ColorMap, RasterSymbol } from './style-model.ts';

const RED: Rgba = [255, 0, 0, 255];
const BLUE: Rgba = [0, 0, 255, 255];
const NONE: Rgba = [0, 0, 0, 0];
const raster = (given: Partial<PaintedRaster> = {}): PaintedRaster => ({
  type: 'uint8',
  nodata: 0,
  scaling: null,
  colors: null,
  ...given,
});
const symbol = (type: ColorMap['type'], entries: readonly (readonly [number, Rgba])[], opacity = 1): RasterSymbol => ({
  kind: 'raster',
  opacity,
  colors: { type, entries: entries.map(([value, color]) => ({ value, color, label: '' })) },
});

function colors(
  of: PaintedRaster,
  by: RasterSymbol | undefined,
  samples: Uint8Array | Int16Array | Float32Array,
): readonly unknown[] {
  const { palette, paint } = createPainter(of, by, [0, 255]);
  expect(palette.length).toBeLessThanOrEqual(256);
  return Array.from(paint(samples), (index) => palette[index]);
}

describe('the colour of a sample', () => {
  it('is the colour of the entry with exactly its value; other values and nodata are transparent', () => {
    const by = symbol('values', [
      [0, RED],
      [1, RED],
      [2, BLUE],
    ]);
    expect(colors(raster(), by, Uint8Array.of(0, 1, 2, 3))).toEqual([NONE, RED, BLUE, NONE]);
    expect(colors(raster({ nodata: null }), by, Uint8Array.of(0, 9))).toEqual([RED, NONE]);
    expect(colors(raster({ type: 'int16', nodata: -1 }), by, Int16Array.of(-1, 2, -300))).toEqual([NONE, BLUE, NONE]);
  });

  it('is the colour of the first greater limit if the colour map has intervals', () => {
    const by = symbol('intervals', [
      [1, RED],
      [5, BLUE],
    ]);
    expect(
      colors(raster({ type: 'float32', nodata: -9999.9 }), by, Float32Array.of(-1, 1, 4.9, 5, Number.NaN, -9999.9)),
    ).toEqual([RED, BLUE, BLUE, NONE, NONE, NONE]);
  });

  it('is interpolated if the colour map is a ramp; outside of the ramp it is the colour of the nearer end', () => {
    const by = symbol('ramp', [
      [0, [0, 0, 0, 255]],
      [100, [200, 100, 0, 255]],
    ]);
    expect(colors(raster({ type: 'float32', nodata: null }), by, Float32Array.of(-5, 0, 50, 100, 101))).toEqual([
      [0, 0, 0, 255],
      [0, 0, 0, 255],
      [100, 50, 0, 255],
      [200, 100, 0, 255],
      [200, 100, 0, 255],
    ]);
  });

  it('is exact at the stops of a ramp with many colours, and approximate between the stops', () => {
    const stops: readonly (readonly [number, Rgba])[] = [
      [0, [0, 0, 0, 255]],
      [1, [255, 0, 0, 255]],
      [10, [255, 255, 0, 255]],
      [1000, [0, 255, 255, 255]],
      [1001, BLUE],
    ];
    const by = symbol('ramp', stops);
    const of = raster({ type: 'float32', nodata: null });
    expect(
      colors(
        of,
        by,
        Float32Array.from(stops, ([value]) => value),
      ),
    ).toEqual(stops.map(([, color]) => color));
    const [middle] = colors(of, by, Float32Array.of(505));
    expect(middle).toEqual([expect.closeTo(128, -1), 255, expect.closeTo(128, -1), 255]);
  });

  it('uses scale, offset and opacity', () => {
    const by = symbol('values', [[2.5, RED]], 0.5);
    expect(colors(raster({ scaling: { scale: 0.5, offset: 1 } }), by, Uint8Array.of(3, 4))).toEqual([
      [255, 0, 0, 128],
      NONE,
    ]);
  });

  it('is the colour in the file, or a shade of grey, if the layer has no style', () => {
    const own = Array.from({ length: 256 }, (_, value): Rgba => (value === 7 ? RED : BLUE));
    expect(colors(raster({ colors: own }), undefined, Uint8Array.of(0, 7, 8))).toEqual([NONE, RED, BLUE]);
    expect(colors(raster(), undefined, Uint8Array.of(0, 255))).toEqual([NONE, [255, 255, 255, 255]]);
  });

  it('cannot be computed with a colour map of more than 255 colours, which is refused', () => {
    const by = symbol(
      'values',
      Array.from({ length: 256 }, (_, i) => [i, [i, 0, 0, 255]] as const),
    );
    expect(() => createPainter(raster(), by, [0, 1])).toThrow('256 colours');
  });
});
