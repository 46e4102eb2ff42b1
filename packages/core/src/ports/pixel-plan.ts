/**
 * Pixel grid of a plan, north-up: pixel (row, col) has its upper left corner at x = west + col * pixelWidth, y = north
 * - row * pixelHeight.
 */
export interface PixelGrid {
  /** 'EPSG:32643' (metres) or 'EPSG:4326' (degrees, x = longitude). */
  readonly crs: string;
  readonly west: number;
  readonly north: number;
  /** Pixel width and height in CRS units, both positive. */
  readonly pixelWidth: number;
  readonly pixelHeight: number;
  readonly cols: number;
  readonly rows: number;
}

/** Bands of land cover: STAC `eo:common_name`s, plus `scl` (Sentinel-2 scene classification). */
export type BandName = 'blue' | 'green' | 'red' | 'nir' | 'swir16' | 'swir22' | 'scl';

/** One single-band COG of a scene. `href`: absolute file path or http(s) URL. */
export interface SceneBand {
  readonly href: string;
  /** Name of a local file; the name stays equal if the folder of the file is moved. Default: `href`. */
  readonly source?: string;
  /** Number that is added to the digital number (DN) before use: -1000 for raw files of baseline 04.00 or later. */
  readonly offset: number;
  /** Reflectance per DN after the offset (0.0001 for Sentinel-2). */
  readonly scale: number;
  /** DN that means no data, before the offset (0 for Sentinel-2); null = the nodata tag of the file, if any. */
  readonly nodata: number | null;
  /** Allowed folders (real paths) of a local file after its links are resolved; absent = any folder. */
  readonly within?: readonly string[] | undefined;
}

/** One acquisition. A pixel of the grid gets the value of the band pixel that contains its centre. */
export interface PlanScene {
  readonly id: string;
  /** ISO 8601 instant of acquisition. */
  readonly datetime: string;
  /** Bands by name (`BandName` for Sentinel-2; any name that the plan's indices and mask use). */
  readonly bands: Readonly<Record<string, SceneBand>>;
}

/** Rule by which scene-classification codes mask pixels. `keep`: codes of clear pixels. */
export interface MaskRule {
  /** Band of uint8 codes. */
  readonly band: string;
  readonly keep: readonly number[];
  /** Codes without an observation; the pixel is read from the next scene of the solar day. */
  readonly missing: readonly number[];
  /** Codes whose areas are enlarged by `dilate` pixels of the mask band. */
  readonly grow: readonly number[];
  readonly dilate: number;
}

/** Subtracts `BRIGHT_MARK` from index values above `above` if the offset-corrected DN of `band` is at least `from`. */
export interface BrightMark {
  /** Index value (x 10000) above which values are marked. */
  readonly above: number;
  readonly band: string;
  /** DN after the offset (reflectance x 10000 for Sentinel-2). */
  readonly from: number;
}

/**
 * Number that is subtracted from the ratio (-10000..10000) of a bright pixel. The result is below -10000, so it shows
 * the mark without a second plane.
 */
export const BRIGHT_MARK = 20_001;

/**
 * Formula of an index. `ratio`: (sum(plus) - sum(minus)) / (sum(plus) + sum(minus)) of offset-corrected DNs (negative =
 * 0), x 10000, rounded half to even. `band`: the int16 values of a band (already x 10000).
 */
export type IndexFormula =
  | {
      readonly kind: 'ratio';
      readonly plus: readonly string[];
      readonly minus: readonly string[];
      readonly bright?: BrightMark;
    }
  | { readonly kind: 'band'; readonly band: string };

/** An index and the steps that need it. */
export interface IndexSpec {
  readonly name: string;
  readonly formula: IndexFormula;
  /** Positions in `steps`: the first step that needs this index, and the step after the last. */
  readonly from: number;
  readonly to: number;
}

/** A compositing window from `start` to `end` (excluded), ISO dates. The composite is the median of the clear days. */
export interface StepWindow {
  readonly start: string;
  readonly end: string;
}

/**
 * Pure block function that worker threads import: module (a package's export, or a `file:` URL), export, JSON
 * parameters.
 */
export interface BlockFunctionRef {
  readonly module: string;
  readonly export: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Sample types of planes. `uint8`: classes and codes; `int16`: whole numbers; `float32`: measured values. */
export type PlaneType = 'uint8' | 'int16' | 'float32';

/** The typed array of each type of plane. */
export interface PlaneArrays {
  readonly uint8: Uint8Array;
  readonly int16: Int16Array;
  readonly float32: Float32Array;
}

/** One value per pixel of a block or of a whole grid, row-major. */
export type Plane = PlaneArrays[PlaneType];

/** One output plane of a block function, stored as a scratch raster on the plan's grid. */
export interface OutputSpec {
  readonly name: string;
  /** Type of the samples; default 'uint8'. */
  readonly type?: PlaneType;
}

/** Plan that computes output planes from the composites of a year. */
export interface PixelPlan {
  readonly kind: 'composite';
  readonly grid: PixelGrid;
  /** MultiPolygon coordinates in lon/lat. Outputs outside of the area may be 0. */
  readonly area: readonly (readonly (readonly (readonly number[])[])[])[];
  /** Scenes of one solar day are one observation: each pixel is taken from the first scene with data. */
  readonly scenes: readonly PlanScene[];
  /** Rule for clear pixels; null = every pixel with data is clear. */
  readonly mask: MaskRule | null;
  readonly steps: readonly StepWindow[];
  /** Positions in `steps` of the year's first step, and of the step after its last. */
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
  /**
   * Maximum share (0-1) of scenes whose servers do not respond. If the share is larger, the plan fails as
   * `unavailable`. Absent = any share.
   */
  readonly mayMiss?: number;
}

/** Value of an index at pixels without a clear observation. */
export const INDEX_NODATA = -32768;

/**
 * Input of a composite block function, at most 4096 `pixels`. Planes are ordered by step (`plane[step * pixels + i]`).
 */
export interface CompositeBlockInput<P extends Plane = Uint8Array> {
  readonly pixels: number;
  /** Medians by index name: int16 x 10000, `[to - from][pixels]`, `INDEX_NODATA` if unknown; may be overwritten. */
  readonly series: Readonly<Record<string, Int16Array>>;
  /** Number of clear solar days per pixel within the plan's core steps, `[pixels]`. */
  readonly clear: Uint16Array;
  /** Planes to fill by output name, `[pixels]`, initially 0. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Returns the latitude (degrees, north positive) of a pixel's centre; absent if unknown. */
  readonly latitudeOf?: (pixel: number) => number;
}
/** A composite block function. It is pure: it reads `series` and writes `outputs`. */
export type CompositeBlock<P extends Plane = Uint8Array> = (input: CompositeBlockInput<P>) => void;

/** A raster in the engine's scratch space; only the engine reads it. */
export interface ScratchRaster {
  readonly key: string;
  readonly grid: PixelGrid;
  /** Type of the samples; default 'uint8'. */
  readonly type?: PlaneType;
}

/** Plan that computes scratch rasters from other scratch rasters of a grid, pixel by pixel or with neighbours. */
export interface CombinePlan {
  readonly kind: 'combine';
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, ScratchRaster>>;
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
  /**
   * Number of rows above and below each pixel that the function reads, default 0. With a halo, a block has whole rows.
   */
  readonly halo?: number;
}

/** Input of a combine block function: planes `[pixels]`. */
export interface CombineBlockInput<P extends Plane = Uint8Array> {
  readonly pixels: number;
  /** Number of columns of the grid if the plan has a halo. */
  readonly cols?: number;
  /** Planes by name, with `halo` more rows before and after the block; rows outside of the grid are 0. */
  readonly inputs: Readonly<Record<string, P>>;
  /** Planes to fill by name, initially 0. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
}
/** A combine block function. It is pure: it reads `inputs` and writes `outputs`. */
export type CombineBlock<P extends Plane = Uint8Array> = (input: CombineBlockInput<P>) => void;

/**
 * Plan that computes planes and a JSON value from whole planes in one thread, such as flow over a terrain. All
 * planes together have at most `WHOLE_BYTES`.
 */
export interface WholePlan {
  readonly kind: 'whole';
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, ScratchRaster>>;
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
}

/** Maximum bytes of the inputs and outputs of a whole plan. */
export const WHOLE_BYTES = 2 ** 30;

/** Input of a whole block function: planes `[rows * cols]` of the grid, row-major. */
export interface WholeBlockInput<P extends Plane = Plane> {
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, P>>;
  /** Planes to fill by name, initially 0. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Reports the finished share of the work, 0-1. */
  readonly progress: (share: number) => void;
}
/** A whole block function: reads `inputs`, writes `outputs`, returns or resolves to a JSON value. */
export type WholeBlock<P extends Plane = Plane> = (input: WholeBlockInput<P>) => unknown;

const ARRAYS: { readonly [T in PlaneType]: new (length: number) => PlaneArrays[T] } = {
  uint8: Uint8Array,
  int16: Int16Array,
  float32: Float32Array,
};

/** Returns the plane with this name and type; throws a TypeError if it is missing or has another type. */
export function planeOf<T extends PlaneType>(
  planes: Readonly<Record<string, Plane>>,
  name: string,
  type: T,
): PlaneArrays[T] {
  const plane = planes[name];
  if (plane !== undefined && isPlane(plane, type)) return plane;
  throw new TypeError(`plane ${name}: the block function needs type ${type}, the plan has ${nameOf(plane)}`);
}

function isPlane<T extends PlaneType>(plane: Plane, type: T): plane is PlaneArrays[T] {
  return plane instanceof ARRAYS[type];
}

function nameOf(plane: Plane | undefined): string {
  if (plane === undefined) return 'none';
  if (plane instanceof Uint8Array) return 'uint8';
  return plane instanceof Int16Array ? 'int16' : 'float32';
}

export { modeOf } from '../class-mode.ts';

const MS_PER_DEGREE = 240_000;

/**
 * Returns the day of an instant (ISO 8601) in mean solar time at a longitude. The day never changes during a pass of
 * the satellite.
 */
export function solarDay(datetime: string, longitude: number): string {
  return new Date(Date.parse(datetime) + longitude * MS_PER_DEGREE).toISOString().slice(0, 10);
}
