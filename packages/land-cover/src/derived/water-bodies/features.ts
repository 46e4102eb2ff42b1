import type { TableColumn } from '@headwater/core';
import { isMostlySeen } from '@headwater/core/values';
import type { PixelGrid } from '@headwater/core/pixel-plan';
import { hectares, type LayerFeature } from '@headwater/layer-kit';
import type { MultiPolygon, Position } from 'geojson';
import type { WaterBody } from './find-water.ts';
import type { Corner } from './trace-rings.ts';

const M2_PER_HA = 10_000;
/** Coordinates are rounded to 1 / `DIGITS` degrees. */
const DIGITS = 1e12;

/** Bins of areas: upper limit (exclusive, m2) and name, as in the layer of the CoRE Stack. */
const CATEGORIES = [
  [500, '0-500'],
  [1000, '500-1000'],
  [5000, '1000-5000'],
  [Number.POSITIVE_INFINITY, '5000 and above'],
] as const;

/** Returns the name of the bin of an area in m2. */
export const categoryOf = (m2: number): string => CATEGORIES.find(([limit]) => m2 < limit)?.[1] ?? '';

/** Name of a hydrological year in the columns of this layer: `17-18`. */
export const shortRange = (year: number): string =>
  [year, year + 1].map((each) => String(each % 100).padStart(2, '0')).join('-');

/** Returns the polygons of a body as longitude and latitude. */
export function geometryOf({ polygons }: Pick<WaterBody, 'polygons'>, grid: PixelGrid): MultiPolygon {
  const position = ([col, row]: Corner): Position => [
    Math.round((grid.west + col * grid.pixelWidth) * DIGITS) / DIGITS,
    Math.round((grid.north - row * grid.pixelHeight) * DIGITS) / DIGITS,
  ];
  return { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map((ring) => ring.map(position))) };
}

/**
 * Names of a body. `mwsUid`: ascending uids of its micro-watersheds, joined by `_`. `uid`: `mwsUid` (`0` if the body is
 * in no micro-watershed) and `index`, the number of the body.
 */
export function namesOfBody(uids: readonly string[], index: number): { readonly mwsUid: string; readonly uid: string } {
  const mwsUid = uids.toSorted().join('_');
  return { mwsUid, uid: `${mwsUid === '' ? '0' : mwsUid}_${index}` };
}

/**
 * Returns the attributes of a body. Shares are relative to its seen part; a year is null if less than half of the body
 * was seen.
 */
export function propertiesOf(
  body: WaterBody,
  names: ReturnType<typeof namesOfBody>,
  years: readonly number[],
): LayerFeature['properties'] {
  const seasons = years.flatMap((year, i) => {
    const [kharif, rabi, zaid, unseen] = body.years[i] ?? [0, 0, 0, body.m2];
    const known = isMostlySeen(unseen, body.m2);
    const percent = (m2: number): number | null => (known ? (100 * m2) / (body.m2 - unseen) : null);
    const range = shortRange(year);
    return [
      [`area_${range}`, known ? kharif / M2_PER_HA : null],
      [`k_${range}`, percent(kharif)],
      [`kr_${range}`, percent(rabi)],
      [`krz_${range}`, percent(zaid)],
      [`unseen_area_${range}`, unseen / M2_PER_HA],
    ] as const;
  });
  return {
    UID: names.uid,
    MWS_UID: names.mwsUid,
    area_ored: body.m2 / M2_PER_HA,
    category_sq_m: categoryOf(body.m2),
    ...Object.fromEntries(seasons),
  };
}

const NULL = 'null if less than half of the body was seen';

/** Columns of the layer, in the order of the attributes. */
export function bodyColumns(years: readonly number[]): readonly TableColumn[] {
  const text = (name: string, description: string): TableColumn => ({ name, type: 'text', description });
  const percent = (name: string, description: string): TableColumn => ({
    name,
    type: 'number',
    unit: '%',
    description,
  });
  return [
    text('UID', 'Identifier of the water body: the identifiers of its micro-watersheds and a running number'),
    text('MWS_UID', 'Identifiers of the micro-watersheds that the body touches, joined by _'),
    hectares('area_ored', 'Hectares that had water in any year, on the ellipsoid'),
    text('category_sq_m', 'Bin of area_ored in m2'),
    ...years.flatMap((year) => {
      const range = shortRange(year);
      const during = `hydrological year ${year}`;
      return [
        hectares(`area_${range}`, `Hectares with water in ${during}; ${NULL}`),
        percent(`k_${range}`, `Share of the seen part of area_ored with water in kharif or longer, ${during}; ${NULL}`),
        percent(
          `kr_${range}`,
          `Share of the seen part of area_ored with water until rabi or longer, ${during}; ${NULL}`,
        ),
        percent(`krz_${range}`, `Share of the seen part of area_ored with water until zaid, ${during}; ${NULL}`),
        hectares(
          `unseen_area_${range}`,
          `Part of area_ored, in hectares, that has no class in ${during}, because too few images show it`,
        ),
      ];
    }),
  ];
}
