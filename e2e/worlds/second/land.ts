import { SECOND_YEARS, SIDE } from './calendar.ts';
import { Dice } from './dice.ts';

/** Land use of a parcel. Lakes are put on top of the parcels. */
export type Kind =
  | 'built'
  | 'evergreen'
  | 'moistForest'
  | 'dryForest'
  | 'scrub'
  | 'bare'
  | 'kharif'
  | 'longKharif'
  | 'rabi'
  | 'zaid'
  | 'kharifRabi'
  | 'threeCrops'
  | 'cane';

/** Land-cover class code of each kind of land use. */
export const CLASS_OF: Readonly<Record<Kind, number>> = {
  built: 1,
  evergreen: 6,
  moistForest: 6,
  dryForest: 6,
  bare: 7,
  kharif: 8,
  longKharif: 8,
  rabi: 9,
  zaid: 9,
  kharifRabi: 10,
  threeCrops: 11,
  cane: 11,
  scrub: 12,
};

/** One parcel with its use in each year of `SECOND_YEARS`. */
export interface Plot {
  readonly id: number;
  readonly kinds: readonly Kind[];
}

/** A bowl-shaped lake whose rim dries first. Radii are in pixels. */
export interface Lake {
  readonly row: number;
  readonly col: number;
  readonly radii: readonly [number, number];
  /** Days after 1 July on which rim and middle dry; above 365 for never. */
  readonly dries: readonly [rim: number, middle: number];
}

/** Parcels and lakes of the square. */
export interface Land {
  /** Parcel of each pixel, `[SIDE * SIDE]`. */
  readonly plotOf: Uint16Array;
  readonly plots: readonly Plot[];
  readonly lakes: readonly Lake[];
}

/** Cuts the square into parcels with uses, and puts lakes on top. */
export function layOut(seed: number): Land {
  const dice = new Dice('land', seed);
  const plotOf = new Uint16Array(SIDE * SIDE);
  const plots: Plot[] = [];
  for (const box of cut({ row: 0, col: 0, rows: SIDE, cols: SIDE }, dice)) {
    const id = plots.length;
    plots.push({ id, kinds: uses(dice) });
    for (let row = box.row; row < box.row + box.rows; row++)
      plotOf.fill(id, row * SIDE + box.col, row * SIDE + box.col + box.cols);
  }
  return { plotOf, plots, lakes: Array.from({ length: 13 }, (_, nth) => lake(nth, dice)) };
}

interface Box {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

function cut(box: Box, dice: Dice): readonly Box[] {
  const tall = box.rows >= box.cols;
  const long = tall ? box.rows : box.cols;
  if (long <= dice.within(9, 24)) return [box];
  const at = Math.round(long * dice.within(0.35, 0.65));
  const parts = tall
    ? [
        { ...box, rows: at },
        { ...box, row: box.row + at, rows: box.rows - at },
      ]
    : [
        { ...box, cols: at },
        { ...box, col: box.col + at, cols: box.cols - at },
      ];
  return parts.flatMap((part) => cut(part, dice));
}

const SHARES: readonly (readonly [Kind, number])[] = [
  ['built', 8],
  ['evergreen', 6],
  ['moistForest', 5],
  ['dryForest', 6],
  ['scrub', 11],
  ['bare', 8],
  ['kharif', 15],
  ['longKharif', 2],
  ['rabi', 8],
  ['zaid', 2],
  ['kharifRabi', 15],
  ['threeCrops', 6],
  ['cane', 3],
];

/** Crop rotations: for each use, the possible uses of a year with their weights. */
const ROTATES: Partial<Readonly<Record<Kind, readonly (readonly [Kind, number])[]>>> = {
  kharif: [
    ['kharif', 8],
    ['kharifRabi', 1],
    ['longKharif', 1],
  ],
  kharifRabi: [
    ['kharifRabi', 8],
    ['kharif', 1],
    ['rabi', 1],
  ],
  rabi: [
    ['rabi', 8],
    ['kharifRabi', 1],
    ['zaid', 1],
  ],
};

function uses(dice: Dice): readonly Kind[] {
  const base = dice.pick(SHARES);
  const rotation = ROTATES[base];
  if (rotation !== undefined) return SECOND_YEARS.map(() => dice.pick(rotation));
  const paved = base === 'scrub' && dice.hits(0.03);
  return SECOND_YEARS.map((_, nth) => (paved && nth === 2 ? 'built' : base));
}

/** Monsoon ponds, village reservoirs, permanent reservoirs, with weights. */
const REGIMES: readonly (readonly [Lake['dries'], number])[] = [
  [[100, 140], 1],
  [[190, 255], 1],
  [[400, 500], 1],
];

function lake(nth: number, dice: Dice): Lake {
  const [rim, middle] = dice.pick(REGIMES.filter((_, i) => i === nth % REGIMES.length));
  const later = dice.within(-10, 10);
  const radius = dice.within(4, 10);
  return {
    row: dice.within(0, SIDE),
    col: dice.within(0, SIDE),
    radii: [radius, radius * dice.within(0.6, 1.6)],
    dries: [rim + later, middle + later],
  };
}
