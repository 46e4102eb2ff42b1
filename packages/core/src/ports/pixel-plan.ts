/**
 * Plain serialisable data that says what to do with pixels; `raster` executes it in worker threads and knows no land cover.
 * Grids are north-up: pixel (row, col) has its upper left corner at x = west + col * pixelWidth, y = north - row * pixelHeight.
 */
export interface PixelGrid {
  /** 'EPSG:32643' (metres) or 'EPSG:4326' (degrees, x = longitude). */
  readonly crs: string;
  readonly west: number;
  readonly north: number;
  /** Pixel size in CRS units, both positive; real files are not always square. */
  readonly pixelWidth: number;
  readonly pixelHeight: number;
  readonly cols: number;
  readonly rows: number;
}

/** Bands that land cover knows: STAC `eo:common_name`s, plus `scl` (Sentinel-2 scene classification). */
export type BandName = 'blue' | 'green' | 'red' | 'nir' | 'swir16' | 'swir22' | 'scl';

/** One single-band COG of a scene. `href`: absolute file path or http(s) URL. */
export interface SceneBand {
  readonly href: string;
  /** Added to the DN before use (-1000 for raw baseline >= 04.00, else 0). */
  readonly offset: number;
  /** Reflectance per DN after the offset (0.0001 for Sentinel-2). */
  readonly scale: number;
  /** DN that means no data, tested before the offset (0 for Sentinel-2); null = what the file's own nodata tag says, if any. */
  readonly nodata: number | null;
  /** Real paths of the folders that a local file must lie in once links are followed; absent = anywhere. */
  readonly within?: readonly string[] | undefined;
}

/**
 * One acquisition: its bands may have another CRS or pixel size than the plan's grid. Every band, the mask's too, gives a pixel
 * of the grid the value of its own pixel in which that pixel's centre lies (nearest neighbour).
 */
export interface PlanScene {
  readonly id: string;
  /** ISO 8601 instant of acquisition. */
  readonly datetime: string;
  /** By band name (`BandName` for Sentinel-2; any name that the plan's indices and mask use). */
  readonly bands: Readonly<Record<string, SceneBand>>;
}

/** Which scene-classification codes are clear, and which spoil their neighbours. */
export interface MaskRule {
  /** Band of uint8 codes. */
  readonly band: string;
  readonly keep: readonly number[];
  /** Codes that are no observation: there another scene of the same solar day gives the pixel. Everywhere else the first one does. */
  readonly missing: readonly number[];
  /** Codes grown by `dilate` pixels of the mask band's own resolution (3x3 per step) before they are taken off. */
  readonly grow: readonly number[];
  readonly dilate: number;
}

/** A mark on an index: where its value is above `above` and offset-corrected DNs of `band` reach `from`, `BRIGHT_MARK` is taken off the value. */
export interface BrightMark {
  /** Value of the index (x 10000) that a mark takes. */
  readonly above: number;
  readonly band: string;
  /** DN, offset applied (reflectance x 10000 for Sentinel-2). */
  readonly from: number;
}

/**
 * Taken off a ratio (-10000..10000) where the ground is bright, so that marked values are all below -10000 and still tell the ratio. A ratio
 * cannot say how bright the ground is; the mark does so without a further plane. Medians keep it where most dates have it; of two dates, one
 * marked, the mean reads as marked only where the other's value is far below `above`.
 */
export const BRIGHT_MARK = 20_001;

/**
 * `ratio`: (sum(plus) - sum(minus)) / (sum(plus) + sum(minus)) of offset-corrected DNs (each clamped at >= 0 after the offset),
 * int16 x 10000, round half to even of the float32 ratio; no data where any band is, or where the denominator is 0; marked by `bright` where it is given.
 * `band`: the band's own int16 values (already x 10000), passed through.
 */
export type IndexFormula =
  | {
      readonly kind: 'ratio';
      readonly plus: readonly string[];
      readonly minus: readonly string[];
      readonly bright?: BrightMark;
    }
  | { readonly kind: 'band'; readonly band: string };

/** An index and the steps for which it is wanted. */
export interface IndexSpec {
  readonly name: string;
  readonly formula: IndexFormula;
  /** First and one past the last step (of `steps`) for which this index is wanted. */
  readonly from: number;
  readonly to: number;
}

/** A compositing window [start, end): ISO dates (UTC midnight); the composite is the median of the clear solar days within. */
export interface StepWindow {
  readonly start: string;
  readonly end: string;
}

/** A pure function over one block, imported by the worker: module (a package's export, or a `file:` URL), export name, JSON parameters. */
export interface BlockFunctionRef {
  readonly module: string;
  readonly export: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Sample types of planes: classes and codes, whole numbers, measured values. */
export type PlaneType = 'uint8' | 'int16' | 'float32';

/** The typed array of each type of plane. */
export interface PlaneArrays {
  readonly uint8: Uint8Array;
  readonly int16: Int16Array;
  readonly float32: Float32Array;
}

/** One value per pixel of a block or of a whole grid, row-major. */
export type Plane = PlaneArrays[PlaneType];

/** One output plane of a block function, kept as a scratch raster on the plan's grid. */
export interface OutputSpec {
  readonly name: string;
  /** Absent = 'uint8'. */
  readonly type?: PlaneType;
}

/** A year of composites -> output planes. */
export interface PixelPlan {
  readonly kind: 'composite';
  readonly grid: PixelGrid;
  /** GeoJSON MultiPolygon coordinates in lon/lat; blocks without a touched pixel are skipped and stay 0. */
  readonly area: readonly (readonly (readonly (readonly number[])[])[])[];
  /**
   * Scenes of one solar day (at the grid's middle) are one observation: at each pixel the first of them in this order that
   * observed it, clear or not, decides; the next ones fill what it did not see.
   */
  readonly scenes: readonly PlanScene[];
  /** Null = every pixel with data is clear. */
  readonly mask: MaskRule | null;
  readonly steps: readonly StepWindow[];
  /** First and one past the last step that count as observations of the year itself (margins excluded). */
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
  /**
   * Share of the scenes, 0-1, that may be missing because their servers did not answer; with more the plan ends as
   * `unavailable`, since a thinned year gives another map. Absent = any.
   */
  readonly mayMiss?: number;
}

/** Value of an index where no clear observation exists. */
export const INDEX_NODATA = -32768;

/**
 * What a composite block function gets: `pixels` <= 4096 pixels, planes contiguous per step (`plane[step * pixels + i]`).
 * `P` names the types of its outputs, as the plan's `outputs` ask for them.
 */
export interface CompositeBlockInput<P extends Plane = Uint8Array> {
  readonly pixels: number;
  /** Index name -> int16 x 10000, `[to - from][pixels]`, `INDEX_NODATA` where unknown. Medians; gaps NOT filled. Scratch: may be overwritten. */
  readonly series: Readonly<Record<string, Int16Array>>;
  /** Clear solar days per pixel within the plan's core steps, `[pixels]`. */
  readonly clear: Uint16Array;
  /** Output name -> plane to fill, `[pixels]`, all zero on entry. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
}
/** Pure: reads `series`, writes `outputs`. */
export type CompositeBlock<P extends Plane = Uint8Array> = (input: CompositeBlockInput<P>) => void;

/** A raster in the engine's scratch space; opaque to the domain. */
export interface ScratchRaster {
  readonly key: string;
  readonly grid: PixelGrid;
  /** Absent = 'uint8'. */
  readonly type?: PlaneType;
}

/** Several scratch rasters of one grid -> several new ones, pixel by pixel (temporal correction). */
export interface CombinePlan {
  readonly kind: 'combine';
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, ScratchRaster>>;
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
}

/** What a combine block function gets: planes `[pixels]`; `P` names their types. */
export interface CombineBlockInput<P extends Plane = Uint8Array> {
  readonly pixels: number;
  readonly inputs: Readonly<Record<string, P>>;
  /** All zero on entry. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
}
/** Pure: reads `inputs`, writes `outputs`. */
export type CombineBlock<P extends Plane = Uint8Array> = (input: CombineBlockInput<P>) => void;

/**
 * Whole planes of one grid -> new ones and a JSON value (polygons, tables): for work that no block can do alone, such as flow over a
 * terrain or connected regions. It runs in one worker thread, which holds all inputs and outputs at once, `WHOLE_BYTES` of them at most.
 */
export interface WholePlan {
  readonly kind: 'whole';
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, ScratchRaster>>;
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
}

/** Most bytes that the inputs and outputs of a whole plan may have together: four float32 planes of 80 km at 10 m. */
export const WHOLE_BYTES = 2 ** 30;

/** What a whole block function gets: planes `[rows * cols]` of the grid, row-major. */
export interface WholeBlockInput<P extends Plane = Plane> {
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, P>>;
  /** All zero on entry. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Share of the work that is done, 0-1. */
  readonly progress: (share: number) => void;
}
/** Reads `inputs`, writes `outputs`, returns a value that JSON can hold: no undefined members, no number that is not finite. */
export type WholeBlock<P extends Plane = Plane> = (input: WholeBlockInput<P>) => unknown;

const ARRAYS: { readonly [T in PlaneType]: new (length: number) => PlaneArrays[T] } = {
  uint8: Uint8Array,
  int16: Int16Array,
  float32: Float32Array,
};

/** The plane of a name, of the type that a block function needs; throws a TypeError that names both where there is none. */
export function planeOf<T extends PlaneType>(
  planes: Readonly<Record<string, Plane>>,
  name: string,
  type: T,
): PlaneArrays[T] {
  const plane = planes[name];
  if (plane !== undefined && isPlane(plane, type)) return plane;
  throw new TypeError(`plane ${name}: the block function needs one of ${type}, the plan gives ${nameOf(plane)}`);
}

function isPlane<T extends PlaneType>(plane: Plane, type: T): plane is PlaneArrays[T] {
  return plane instanceof ARRAYS[type];
}

function nameOf(plane: Plane | undefined): string {
  if (plane === undefined) return 'none';
  if (plane instanceof Uint8Array) return 'uint8';
  return plane instanceof Int16Array ? 'int16' : 'float32';
}

export { solarDay } from '../solar-day.ts';
export { modeOf } from '../class-mode.ts';
