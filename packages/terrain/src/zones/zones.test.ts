import type { ZoneCover } from '@headwater/core/geo';
import { describe, expect, it } from 'vitest';
import {
  areasBy,
  CLUSTER_AXES,
  descriptorOfAreas,
  nearestCluster,
  TERRAIN_CLUSTERS,
  terrainDescriptor,
} from './terrain-descriptor.ts';
import { coversOfIndex } from './index-covers.ts';
import { dominantCover } from '../pipelines/terrain-lulc/terrain-rows.ts';
import { landCoverCodes, landCoverOfAreas, terrainPercentages } from './land-cover-by-terrain.ts';
import { streamOrderShares } from './stream-order-shares.ts';

/** The zone covers half of pixel (0, 0), all of (0, 1) and (1, 1), and a quarter of (1, 2). */
const cover: ZoneCover = {
  top: 0,
  rows: 2,
  start: Int32Array.of(0, 2, 4),
  from: Int32Array.of(0, 1, 1, 2),
  to: Int32Array.of(1, 2, 2, 3),
  fraction: Float64Array.of(0.5, 1, 1, 0.25),
};
const size = { cols: 3, rowAreas: Float64Array.of(100, 80) };
const AREA = 50 + 100 + 80 + 20;

describe('areas of zones', () => {
  it('are sums of covered fractions times pixel areas, by pixel value', () => {
    const bins = [0, 1, 9, 9, 1, 2];
    expect(areasBy(cover, size, { count: 3, binOf: (at) => bins[at]! })).toEqual(Float64Array.of(50, 180, 20));
    expect(areasBy(cover, size, { count: 1, binOf: (at) => bins[at]! - 1 })).toEqual(Float64Array.of(180));
  });

  it('are computed from an index that assigns each whole pixel to one zone', () => {
    const zones = Uint8Array.of(0, 1, 1, 1, 0, 0, 1, 3, 1, 0, 3, 3);
    const covers = coversOfIndex({ zones, count: 3 }, 3);
    const whole = { cols: 3, rowAreas: Float64Array.of(1, 1, 1, 1) };
    expect(covers.map((c) => areasBy(c, whole, { count: 1, binOf: () => 0 })[0])).toEqual([5, 0, 3]);
    expect(covers[0]).toMatchObject({ top: 0, rows: 3, start: Int32Array.of(0, 1, 2, 4) });
    expect(covers[2]!.top).toBe(2);
  });
});

describe('stream orders in a zone', () => {
  it('have shares in percent of the whole zone', () => {
    const shares = streamOrderShares(cover, { orders: Uint8Array.of(1, 0, 5, 5, 11, 2), size });
    expect(shares).toEqual([20, 8, 0, 0, 0, 0, 0, 0, 0, 0, 32]);
    expect(streamOrderShares({ ...cover, rows: 0 }, { orders: new Uint8Array(6), size })[0]).toBe(0);
  });
});

describe('terrain of a zone', () => {
  it('has shares of five groups that add up to 100, and the nearest cluster', () => {
    const { shares, areaM2, cluster } = terrainDescriptor(cover, { classes: Uint8Array.of(5, 5, 1, 1, 6, 9), size });
    expect(shares).toEqual({ plain: 60, slopy: 32, valley: 8, ridge: 0, hill_slope: 0 });
    expect([areaM2, cluster?.title]).toEqual([AREA, 'Broad Plains and Slopes']);
  });

  it.each([
    [5, 'Mostly Plains'],
    [6, 'Broad Sloppy and Hilly'],
    [8, 'Mostly Hills and Valleys'],
    [11, 'Mostly Hills and Valleys'],
  ])('that consists of landform %d only is %s', (code, title) => {
    expect(terrainDescriptor(cover, { classes: new Uint8Array(6).fill(code), size }).cluster?.title).toBe(title);
  });

  it.each([
    // Squared distances to clusters 0 to 3: 0.0459, 0.2586, 0.3273, 0.0348.
    ['Broad Plains and Slopes', { slopy: 30, plain: 40, ridge: 10, valley: 12, hill: 8 }],
    // Squared distances to clusters 0 to 3: 0.0186, 0.3488, 0.2846, 0.0720.
    ['Broad Sloppy and Hilly', { slopy: 34, plain: 33, ridge: 11, valley: 13, hill: 9 }],
  ])('is %s, the cluster at the least distance from its shares', (title, { slopy, plain, ridge, valley, hill }) => {
    // Valleys: 1, 2, 4, 9. Ridges: 3, 7, 10, 11. Plains 5, slopes 6, hill slopes 8.
    const parts = {
      0: 500,
      6: slopy,
      5: plain,
      3: ridge - 4,
      7: 1,
      10: 1,
      11: 2,
      1: valley - 6,
      2: 1,
      4: 2,
      9: 3,
      8: hill,
    };
    const hectares = new Map(Object.entries(parts).map(([code, area]) => [Number(code), area]));
    const found = descriptorOfAreas(Array.from({ length: 256 }, (_, code) => hectares.get(code) ?? 0));
    expect(found.shares).toEqual({ slopy, plain, ridge, valley, hill_slope: hill });
    expect([found.cluster?.title, found.areaM2]).toEqual([title, 100]);
  });

  it('without data has no cluster', () => {
    expect(terrainDescriptor(cover, { classes: new Uint8Array(6), size })).toEqual({
      shares: { plain: 0, slopy: 0, valley: 0, ridge: 0, hill_slope: 0 },
      areaM2: 0,
    });
  });

  it('has clusters; the shares of each cluster centre add up to 1', () => {
    for (const { id, centre } of TERRAIN_CLUSTERS) {
      expect(centre).toHaveLength(CLUSTER_AXES.length);
      expect(centre.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
      expect(
        nearestCluster(
          centre,
          TERRAIN_CLUSTERS.map((c) => c.centre),
        ),
      ).toBe(id);
    }
    expect(nearestCluster([1], [])).toBe(-1);
  });
});

describe('land cover on plains and slopes', () => {
  const codesOf = (landforms: Uint8Array, years: readonly Uint8Array[]): Uint8Array => {
    const codes = new Uint8Array(landforms.length).fill(99);
    landCoverCodes({ landforms, years }, codes);
    return codes;
  };
  const areasOf = (codes: Uint8Array) =>
    landCoverOfAreas(areasBy(cover, size, { count: 256, binOf: (at) => codes[at]! }));

  it('is the area per class on each terrain, in percent of plains and slopes together', () => {
    const codes = codesOf(Uint8Array.of(5, 6, 1, 1, 5, 8), [Uint8Array.of(8, 6, 6, 6, 10, 10)]);
    const areas = areasOf(codes);
    expect([areas.plain[8], areas.plain[10], areas.slope[6], areas.slope[10]]).toEqual([50, 80, 100, 0]);
    expect(areas.plainAndSlope).toBe(230);
    expect(terrainPercentages(areas, 'plain', [8, 10])).toEqual([(100 * 50) / 230, (100 * 80) / 230]);
    expect(terrainPercentages(areas, 'slope', [6, 7])).toEqual([(100 * 100) / 230, 0]);
  });

  it('is the most frequent class of the years; shares leave out unknown cover, and are unknown if more than half of the cover is unknown', () => {
    const landforms = new Uint8Array(6).fill(5);
    const years = [
      [8, 0, 0, 8, 200, 7],
      [10, 0, 0, 8, 200, 7],
      [10, 0, 6, 9, 200, 12],
    ];
    const codes = codesOf(
      landforms,
      years.map((year) => Uint8Array.from(year)),
    );
    expect([...codes]).toEqual([11, 1, 7, 9, 1, 8]);
    const areas = areasOf(codes);
    expect([areas.plain[0], areas.plain[10], areas.plainAndSlope, areas.unseen]).toEqual([180, 50, AREA - 180, 180]);
    expect(terrainPercentages(areas, 'plain', [10])).toBeUndefined();
  });

  it('is unknown without plains and slopes', () => {
    const areas = areasOf(codesOf(new Uint8Array(6).fill(11), [new Uint8Array(6)]));
    expect(terrainPercentages(areas, 'plain', [0, 8])).toBeUndefined();
  });
});

describe('the name of the dominant cover', () => {
  it.each([
    [[60, 30, 10], 'Mostly trees'],
    [[50, 50, 0], 'Mostly trees'],
    [[10, 45, 40], 'crops and barren'],
    [[20, 20, 20], 'trees and crops'],
    [[0, 3, 0], 'Mostly crops'],
    [[0, 0, 0], undefined],
  ])('of %j is %s', (shares, name) => {
    const titles = ['trees', 'crops', 'barren'];
    expect(dominantCover(shares.map((share, i) => ({ title: titles[i] ?? '', share })))).toBe(name);
  });
});
