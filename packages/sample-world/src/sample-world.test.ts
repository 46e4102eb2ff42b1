import { sceneFromItem } from '@headwater/ingest';
import { describe, expect, it } from 'vitest';
import { classIn, groundCover } from './ground-cover.ts';
import { LAND } from './land-classes.ts';
import {
  BLOCK_KM,
  DEFAULT_SEED,
  firstOfJuly,
  hydroYear,
  isoDate,
  SAMPLE_YEARS,
  sampleFrame,
  SIZE,
} from './sample-frame.ts';
import { sampleWorld, paintScene, truthPlane } from './scene-painter.ts';
import { samplePlace } from './sample-places.ts';
import { sceneItem } from './scene-items.ts';
import { sceneDates } from './scene-calendar.ts';
import { zonePixels } from './score.ts';

const frame = sampleFrame(BLOCK_KM);
const world = sampleWorld(DEFAULT_SEED, frame);
const { mosaic } = world.blocks[0]!;
const scenes = sceneDates(DEFAULT_SEED);
const codes = Object.values(LAND);

function leafCurves(code: number, year: number): number[][] {
  const found: number[][] = [];
  for (const [id, parcel] of mosaic.parcels.entries()) {
    if (id % 5 !== 0 || ![year - 1, year, year + 1].every((y) => classIn(parcel, y) === code)) continue;
    found.push(Array.from({ length: 365 }, (_, day) => groundCover(parcel, id, firstOfJuly(year) + day).leaf));
  }
  return found;
}

/** Days of the peaks of the leaf share. A peak is above 0.5. Between two peaks, the share falls below 0.25. */
function seasons(curve: readonly number[]): number[] {
  const peaks: number[] = [];
  let best = -1;
  for (const [day, leaf] of curve.entries()) {
    if (leaf > 0.5 && (best < 0 || leaf > (curve[best] ?? 0))) best = day;
    if (leaf >= 0.25 || best < 0) continue;
    peaks.push(best);
    best = -1;
  }
  return best < 0 ? peaks : [...peaks, best];
}

describe('frame', () => {
  it('counts days from 1 July of the first year', () => {
    expect([firstOfJuly(2021), firstOfJuly(2022), isoDate(-1), isoDate(365)]).toEqual([
      0,
      365,
      '2021-06-30',
      '2022-07-01',
    ]);
    expect([hydroYear(-1), hydroYear(0), hydroYear(364), hydroYear(365)]).toEqual([2020, 2021, 2021, 2022]);
  });
});

describe('truth', () => {
  it.each([0, 1, 2] as const)('has every class on at least 1 %% of the land in year %i', (year) => {
    const plane = truthPlane(world, year);
    for (const code of codes)
      expect(plane.filter((v) => v === code).length / plane.length, `class ${code}`).toBeGreaterThan(0.01);
  });

  it('changes a little from the first to the last year', () => {
    const [first, last] = [truthPlane(world, 0), truthPlane(world, 2)];
    const changed = first.filter((code, i) => code !== last[i]).length / first.length;
    expect(changed).toBeGreaterThan(0.005);
    expect(changed).toBeLessThan(0.06);
  });
});

/** Cane belongs to class 11, but is green for most of the year. */
const isCane = (curve: readonly number[]): boolean => curve.filter((leaf) => leaf > 0.5).length > 270;

describe('seasons of the classes', () => {
  it('a few parcels of class 11 grow sugarcane', () => {
    const cane = mosaic.parcels.filter((parcel, id) => {
      const leaf = (day: number): number => groundCover(parcel, id, firstOfJuly(2022) + day).leaf;
      return parcel.classes[1] === LAND.threeCrops && Math.min(leaf(20), leaf(140), leaf(300)) > 0.5 && leaf(220) < 0.3;
    });
    expect(cane.length).toBeGreaterThan(0);
    expect(cane.length).toBeLessThan(0.1 * mosaic.parcels.filter((p) => p.classes[1] === LAND.threeCrops).length);
  });

  it.each([
    [LAND.kharifCrop, [[45, 105]]],
    [
      LAND.twoCrops,
      [
        [45, 105],
        [180, 240],
      ],
    ],
    [
      LAND.threeCrops,
      [
        [35, 100],
        [165, 230],
        [275, 325],
      ],
    ],
  ])('class %i peaks in its seasons', (code, windows) => {
    const curves = leafCurves(code, 2022).filter((curve) => !isCane(curve));
    expect(curves.length).toBeGreaterThan(10);
    for (const curve of curves) {
      const peaks = seasons(curve);
      expect(peaks).toHaveLength(windows.length);
      for (const [i, [low = 0, high = 0]] of windows.entries()) {
        expect(peaks[i]).toBeGreaterThan(low);
        expect(peaks[i]).toBeLessThan(high);
      }
    }
  });

  it('parcels of class 9 have one crop, outside of kharif', () => {
    const peaks = leafCurves(LAND.otherCrop, 2022).map(seasons);
    expect(peaks.length).toBeGreaterThan(10);
    for (const found of peaks) expect([found.length, (found[0] ?? 0) > 150]).toEqual([1, true]);
  });

  it('trees stay green, scrub greens a little, houses and rock do not change', () => {
    const range = (code: number): [number, number] => {
      const all = leafCurves(code, 2022).flat();
      return [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
    };
    expect(range(LAND.trees)[0]).toBeGreaterThan(0.6);
    expect(range(LAND.scrub)[0]).toBeGreaterThan(0.1);
    expect(range(LAND.scrub)[1]).toBeLessThan(0.45);
    expect(range(LAND.builtUp)[1]).toBeLessThan(0.25);
    expect(range(LAND.barren)[1]).toBeLessThan(0.03);
  });

  it.each([
    [LAND.waterKharif, [20, 110], [160, 350]],
    [LAND.waterTwoSeasons, [20, 230], [275, 350]],
    [LAND.waterAllYear, [0, 364], []],
  ])('water of class %i is present in its wet seasons and absent in its dry seasons', (code, wet, dry) => {
    const id = mosaic.parcels.findIndex((parcel) => parcel.classes[1] === code);
    const water = (day: number): number => groundCover(mosaic.parcels[id]!, id, firstOfJuly(2022) + day).water;
    for (const day of wet) expect(water(day)).toBeGreaterThan(0.95);
    for (const day of dry) expect(water(day)).toBeLessThan(0.05);
  });
});

describe('scenes', () => {
  it('cover the years and about 60 days before and after them, are cloudy in the monsoon, and mostly clear from November to April', () => {
    expect([scenes[0]?.datetime.slice(0, 10), scenes.at(-1)?.datetime.slice(0, 7)]).toEqual(['2021-05-02', '2024-08']);
    const monsoon = scenes.filter(({ datetime }) => /-0[789]-/.test(datetime));
    const dry = scenes
      .filter(({ datetime }) => /-(11|12|01|02|03|04)-/.test(datetime))
      .map(({ cloud }) => cloud)
      .sort((a, b) => a - b);
    for (const { cloud } of monsoon) expect(cloud).toBeGreaterThanOrEqual(0.6);
    expect(dry[Math.floor(dry.length / 2)]).toBeLessThan(0.05);
    expect(scenes.some(({ rawOffset, baseline }) => rawOffset && baseline === '05.10')).toBe(true);
    expect(scenes.some(({ rawOffset, baseline }) => !rawOffset && baseline === '05.10')).toBe(true);
    expect(scenes.every(({ rawOffset, baseline }) => !rawOffset || baseline >= '04.00')).toBe(true);
  });

  it('have dark deep water, contain the offset of 1000 only if rawOffset is true, and mark clouds in the class band', () => {
    const lake = mosaic.parcels.findIndex((parcel) => parcel.classes[0] === LAND.waterAllYear);
    const pixel = mosaic.parcelOf.lastIndexOf(lake);
    for (const rawOffset of [true, false]) {
      const scene = scenes.find((s) => s.rawOffset === rawOffset && s.cloud < 0.003 && !s.cutCorner)!;
      const nir = paintScene(world, scene).bands[3]![pixel]!;
      expect(nir - (rawOffset ? 1000 : 0)).toBeGreaterThan(50);
      expect(nir - (rawOffset ? 1000 : 0)).toBeLessThan(900);
    }
    const cloudy = scenes.find((s) => s.cloud > 0.8)!;
    const { scl, bands } = paintScene(world, cloudy);
    expect(scl.filter((code) => code === 8 || code === 9 || code === 10).length / scl.length).toBeGreaterThan(0.6);
    expect(new Set(scl).has(3)).toBe(true);
    const thick = scl.indexOf(9);
    expect(bands[4]![thick]! - (cloudy.rawOffset ? 1000 : 0)).toBeGreaterThan(3000);
  });

  it('are read by the scene catalogue with the offset of their files', () => {
    for (const scene of scenes) {
      const read = sceneFromItem(sceneItem(scene, new Uint8Array(4).fill(4), frame), `/eo/${scene.id}.json`);
      expect(read).toMatchObject({ scene: { id: scene.id, synthetic: true, crs: 'EPSG:32644' } });
      const { nir, scl } = 'scene' in read ? read.scene.bands : {};
      expect(nir).toMatchObject({ href: '/eo/B08.tif', offset: scene.rawOffset ? -1000 : 0, scale: 0.0001 });
      expect(scl).toMatchObject({ href: '/eo/SCL.tif', offset: 0 });
    }
  });

  it('have 0 (nodata) in the cut corner of every band', () => {
    const { scl, bands } = paintScene(
      world,
      scenes.find(({ cutCorner }) => cutCorner)!,
    );
    expect([scl[0], ...bands.map((band) => band[0])]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(bands[0]!.filter((dn) => dn === 0).length).toBe(4 * scl.filter((code) => code === 0).length);
  });
});

describe('places', () => {
  const place = samplePlace(DEFAULT_SEED, frame);

  it('cover the tehsil without gaps: every shared border occurs once in each direction, all other borders are the boundary', () => {
    for (const units of [place.mws, place.villages]) {
      const open = new Map<string, number>();
      const walk = (rings: readonly (readonly number[][])[], weight: number): void => {
        for (const ring of rings) {
          for (let i = 1; i < ring.length; i += 1) {
            const [a, b] = [String(ring[i - 1]), String(ring[i])];
            const [key, sign] = a < b ? [`${a} ${b}`, weight] : [`${b} ${a}`, -weight];
            open.set(key, (open.get(key) ?? 0) + sign);
          }
        }
      };
      for (const { geometry } of units) walk(geometry.coordinates as number[][][], 1);
      walk(place.geometry!.coordinates as number[][][], -1);
      expect([...open.values()].filter((count) => count !== 0)).toEqual([]);
    }
  });

  it('have 20 or more MWS above 20 ha with uids of the usual form, and 12 villages', () => {
    expect(place.mws.length).toBeGreaterThanOrEqual(20);
    expect(new Set(place.mws.map(({ uid }) => uid)).size).toBe(place.mws.length);
    for (const { uid } of place.mws) expect(uid).toMatch(/^\d+_\d+$/);
    expect(place.villages).toHaveLength(12);
    const zones = zonePixels(
      frame.grid10m,
      place.mws.map(({ geometry }) => geometry),
    );
    for (const i of place.mws.keys()) expect(zones.filter((zone) => zone === i).length).toBeGreaterThan(2000);
    expect(zones.filter((zone) => zone >= 0).length).toBeGreaterThan(0.7 * SIZE * SIZE);
  });

  it('differ for another seed', () => {
    expect(samplePlace(1, frame).geometry).not.toEqual(place.geometry);
    expect(SAMPLE_YEARS).toHaveLength(3);
  });
});
