/**
 * Pixel grid of a plan. Plans are plain serialisable data; `raster` executes them in worker threads and has no code about land cover. Grids
 * are north-up: pixel (row, col) has its upper left corner at x = west + col * pixelWidth, y = north - row * pixelHeight.
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

/** Bands of land cover: STAC `eo:common_name`s, plus `scl` (Sentinel-2 scene classification). */
export type BandName = 'blue' | 'green' | 'red' | 'nir' | 'swir16' | 'swir22' | 'scl';

/** One single-band COG of a scene. `href`: absolute file path or http(s) URL. */
export interface SceneBand {
  readonly href: string;
  /** Added to the DN before use (-1000 for raw baseline >= 04.00, else 0). */
  readonly offset: number;
  /** Reflectance per DN after the offset (0.0001 for Sentinel-2). */
  readonly scale: number;
  /** DN that means no data, tested before the offset (0 for Sentinel-2); null = the nodata tag of the file, if any. */
  readonly nodata: number | null;
  /** Real paths of the folders that must contain a local file once links are followed; absent = any folder. */
  readonly within?: readonly string[] | undefined;
}

/**
 * One acquisition: its bands may have another CRS or pixel size than the plan's grid. A pixel of the grid takes the value of the band pixel
 * that contains its centre (nearest neighbour); this holds for the mask band too.
 */
export interface PlanScene {
  readonly id: string;
  /** ISO 8601 instant of acquisition. */
  readonly datetime: string;
  /** Bands by name (`BandName` for Sentinel-2; any name that the plan's indices and mask use). */
  readonly bands: Readonly<Record<string, SceneBand>>;
}

/** Scene-classification codes that are clear, and codes that also mask their neighbours. */
export interface MaskRule {
  /** Band of uint8 codes. */
  readonly band: string;
  readonly keep: readonly number[];
  /** Codes that are no observation: another scene of the same solar day then gives the pixel. For all other codes the first scene does. */
  readonly missing: readonly number[];
  /** Codes grown by `dilate` pixels of the mask band's own resolution (3x3 per step) before they are masked. */
  readonly grow: readonly number[];
  readonly dilate: number;
}

/**
 * A mark on an index: if its value is above `above` and offset-corrected DNs of `band` reach `from`, `BRIGHT_MARK` is subtracted from the
 * value.
 */
export interface BrightMark {
  /** Lowest index value (x 10000, exclusive) that is marked. */
  readonly above: number;
  readonly band: string;
  /** DN, offset applied (reflectance x 10000 for Sentinel-2). */
  readonly from: number;
}

/**
 * Subtracted from a ratio (-10000..10000) over bright ground, so that marked values are all below -10000 and the ratio can still be
 * restored. A ratio does not contain the brightness of the ground; the mark adds it without a further plane. Medians keep the mark if most
 * dates have it. Of two dates with one mark, the mean reads as marked only if the value of the other is far below `above`.
 */
export const BRIGHT_MARK = 20_001;

/**
 * Formula of an index.
 * `ratio`: (sum(plus) - sum(minus)) / (sum(plus) + sum(minus)) of offset-corrected DNs (each clamped at >= 0 after the offset), int16 x
 * 10000, round half to even of the float32 ratio; no data if any band has none, or if the denominator is 0; marked by `bright` if it is
 * set.
 * `band`: the band's own int16 values (already x 10000), unchanged.
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
  /** First and one past the last step (of `steps`) that need this index. */
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

/** One output plane of a block function, stored as a scratch raster on the plan's grid. */
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
   * Scenes of one solar day (at the grid's middle) are one observation. At each pixel the first of them in this order that observed it,
   * clear or not, decides; the next ones fill pixels that it did not see.
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
   * Share of the scenes, 0-1, that may be missing because their servers did not answer. With more missing the plan fails as `unavailable`,
   * since fewer dates give another map. Absent = any share.
   */
  readonly mayMiss?: number;
}

/** Value of an index at pixels without a clear observation. */
export const INDEX_NODATA = -32768;

/**
 * Input of a composite block function: `pixels` <= 4096 pixels, planes contiguous per step (`plane[step * pixels + i]`). `P` is the union
 * of its output types, as in the plan's `outputs`.
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

/** Input of a combine block function: planes `[pixels]`; `P` is the union of their types. */
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
 * Whole planes of one grid -> new ones and a JSON value (polygons, tables): for work that needs all pixels at once, such as flow over a
 * terrain or connected regions. It runs in one worker thread, which holds all inputs and outputs in memory, at most `WHOLE_BYTES`.
 */
export interface WholePlan {
  readonly kind: 'whole';
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, ScratchRaster>>;
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
}

/** Maximum bytes of the inputs and outputs of a whole plan together: four float32 planes of 80 km at 10 m. */
export const WHOLE_BYTES = 2 ** 30;

/** Input of a whole block function: planes `[rows * cols]` of the grid, row-major. */
export interface WholeBlockInput<P extends Plane = Plane> {
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, P>>;
  /** All zero on entry. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Share of the work that is done, 0-1. */
  readonly progress: (share: number) => void;
}
/** Reads `inputs`, writes `outputs`, returns a JSON value: no undefined members, only finite numbers. */
export type WholeBlock<P extends Plane = Plane> = (input: WholeBlockInput<P>) => unknown;

const ARRAYS: { readonly [T in PlaneType]: new (length: number) => PlaneArrays[T] } = {
  uint8: Uint8Array,
  int16: Int16Array,
  float32: Float32Array,
};

/** Returns the plane with this name in the type that a block function needs; throws a TypeError that names both if there is none. */
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

/** Milliseconds of solar time per degree of longitude to the east: 24 h / 360. */
const MS_PER_DEGREE = 240_000;

/**
 * Day of an instant (ISO 8601) in mean solar time at a longitude, as ISO date. Sentinel-2 passes at about 10:30 solar time, far from
 * midnight at every longitude; over the Pacific the UTC day changes during a pass (as `solar_day` of odc-stac).
 */
export function solarDay(datetime: string, longitude: number): string {
  return new Date(Date.parse(datetime) + longitude * MS_PER_DEGREE).toISOString().slice(0, 10);
}
