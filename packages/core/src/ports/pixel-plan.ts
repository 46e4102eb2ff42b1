/**
 * Pixel grid of a plan. Plans are plain serialisable data; `raster` executes them in worker threads and has no code about land cover. Grids
 * are north-up: pixel (row, col) has its upper left corner at x = west + col * pixelWidth, y = north - row * pixelHeight.
 */
export interface PixelGrid {
  /** 'EPSG:32643' (metres) or 'EPSG:4326' (degrees, x = longitude). */
  readonly crs: string;
  readonly west: number;
  readonly north: number;
  /** Pixel width and height in CRS units, both positive; pixels of real files are not always square. */
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
  /**
   * Name that identifies a local file and stays the same if the folder of the catalogues is moved: the path in this folder, and the size of the
   * file; absent = `href`.
   */
  readonly source?: string;
  /** Number that is added to the digital number (DN) before use: -1000 for raw files of baseline 04.00 or later, otherwise 0. */
  readonly offset: number;
  /** Reflectance per DN after the offset (0.0001 for Sentinel-2). */
  readonly scale: number;
  /** DN that means no data, compared before the offset is added (0 for Sentinel-2); null = the nodata tag of the file, if any. */
  readonly nodata: number | null;
  /** Allowed folders (real paths) of a local file after its links are resolved; absent = any folder. */
  readonly within?: readonly string[] | undefined;
}

/**
 * One acquisition. Its bands may have another CRS or pixel size than the plan's grid. A pixel of the grid gets the value of the band pixel
 * that contains its centre (nearest neighbour), also in the mask band.
 */
export interface PlanScene {
  readonly id: string;
  /** ISO 8601 instant of acquisition. */
  readonly datetime: string;
  /** Bands by name (`BandName` for Sentinel-2; any name that the plan's indices and mask use). */
  readonly bands: Readonly<Record<string, SceneBand>>;
}

/**
 * Rule by which scene-classification codes mask pixels: codes of clear pixels (`keep`), codes without an observation (`missing`), and codes that
 * also mask neighbouring pixels (`grow`).
 */
export interface MaskRule {
  /** Band of uint8 codes. */
  readonly band: string;
  readonly keep: readonly number[];
  /** Codes of pixels without an observation. Such a pixel is read from the next scene of the same solar day. */
  readonly missing: readonly number[];
  /** Codes whose areas are enlarged by `dilate` pixels of the mask band (3x3 per step) before they are masked. */
  readonly grow: readonly number[];
  readonly dilate: number;
}

/**
 * Rule for a mark on an index over bright ground: `BRIGHT_MARK` is subtracted from a value above `above` if the offset-corrected DN of `band`
 * is at least `from`.
 */
export interface BrightMark {
  /** Index value (x 10000) above which values are marked. */
  readonly above: number;
  readonly band: string;
  /** DN after the offset (reflectance x 10000 for Sentinel-2). */
  readonly from: number;
}

/**
 * Number that is subtracted from a ratio (-10000..10000) over bright ground. All marked values are then below -10000, and the ratio can be
 * restored. So the plane of the ratio also stores that the ground is bright, and no second plane is needed. A median is marked if most dates are
 * marked. The mean of a marked and an unmarked date is below -10000 only if the unmarked value is far below `above`.
 */
export const BRIGHT_MARK = 20_001;

/**
 * Formula of an index.
 * `ratio`: (sum(plus) - sum(minus)) / (sum(plus) + sum(minus)) of offset-corrected DNs, where negative DNs count as 0. The float32 ratio x
 * 10000 is rounded half to even and stored as int16. A pixel has no data if a band has no data there or the denominator is 0. `bright`, if
 * set, marks the values. `band`: the int16 values of a band (already x 10000), unchanged.
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
  /** Positions in `steps`: `from` is the first step that needs this index; `to` is the step after the last step that needs this index. */
  readonly from: number;
  readonly to: number;
}

/**
 * A compositing window from `start` (included) to `end` (excluded), ISO dates at midnight UTC. The composite of the window is the median of its
 * clear days.
 */
export interface StepWindow {
  readonly start: string;
  readonly end: string;
}

/** Reference to a pure block function, which worker threads import: module (a package's export, or a `file:` URL), export, JSON parameters. */
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
  /** Type of the samples; absent = 'uint8'. */
  readonly type?: PlaneType;
}

/** Plan that computes output planes from the composites of a year. */
export interface PixelPlan {
  readonly kind: 'composite';
  readonly grid: PixelGrid;
  /** GeoJSON MultiPolygon coordinates in lon/lat. Blocks without a pixel that the area touches are skipped; their outputs are 0. */
  readonly area: readonly (readonly (readonly (readonly number[])[])[])[];
  /**
   * Scenes. All scenes of the same solar day (at the grid's middle) are one observation. Each pixel of the observation is taken from the first
   * scene of the day, in the order of the list, that observed the pixel, whether the pixel is clear there or not.
   */
  readonly scenes: readonly PlanScene[];
  /** Rule for clear pixels; null = every pixel with data is clear. */
  readonly mask: MaskRule | null;
  readonly steps: readonly StepWindow[];
  /**
   * Positions in `steps` of the year's first step, and of the step after the year's last step. All other steps are margins before and after the
   * year.
   */
  readonly core: readonly [number, number];
  readonly indices: readonly IndexSpec[];
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
  /**
   * Maximum share of the scenes, 0-1, that may be missing because their servers did not respond. If more scenes are missing, the plan fails as
   * `unavailable`, because a map of fewer dates would differ. Absent = any share.
   */
  readonly mayMiss?: number;
}

/** Value of an index at pixels without a clear observation. */
export const INDEX_NODATA = -32768;

/**
 * Input of a composite block function. A block has at most 4096 `pixels`. A plane contains all values of the first step, then all values of the
 * second step, and so on (`plane[step * pixels + i]`). `P` is the union of the types of the output planes, as in the plan's `outputs`.
 */
export interface CompositeBlockInput<P extends Plane = Uint8Array> {
  readonly pixels: number;
  /**
   * Medians by index name: int16 x 10000, `[to - from][pixels]`, `INDEX_NODATA` if unknown. Gaps are not filled. The function may overwrite these
   * arrays.
   */
  readonly series: Readonly<Record<string, Int16Array>>;
  /** Number of clear solar days per pixel within the plan's core steps, `[pixels]`. */
  readonly clear: Uint16Array;
  /** Planes to fill by output name, `[pixels]`; all values are 0 at the start. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * Returns the latitude (degrees, north positive) of a pixel's centre, 0 <= pixel < `pixels`. The latitude depends only on where the pixel is,
   * not on the CRS of the grid. Absent if the grid has no known latitude.
   */
  readonly latitudeOf?: (pixel: number) => number;
}
/** A composite block function. It is pure: it reads `series` and writes `outputs`. */
export type CompositeBlock<P extends Plane = Uint8Array> = (input: CompositeBlockInput<P>) => void;

/** A raster in the engine's scratch space; only the engine reads it. */
export interface ScratchRaster {
  readonly key: string;
  readonly grid: PixelGrid;
  /** Type of the samples; absent = 'uint8'. */
  readonly type?: PlaneType;
}

/**
 * Plan that computes new scratch rasters from other scratch rasters of the same grid. The plan works pixel by pixel, such as a temporal
 * correction, or with each pixel and its neighbours.
 */
export interface CombinePlan {
  readonly kind: 'combine';
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, ScratchRaster>>;
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
  /**
   * Number of rows of neighbours that the function reads above and below each pixel. With a halo, each block consists of whole rows. Absent = 0.
   */
  readonly halo?: number;
}

/** Input of a combine block function: planes `[pixels]`; `P` is the union of the types of the planes. */
export interface CombineBlockInput<P extends Plane = Uint8Array> {
  readonly pixels: number;
  /** Number of columns of the grid if the plan has a halo. `pixels` is then a multiple of `cols`. */
  readonly cols?: number;
  /**
   * Planes by name. If the plan has a halo, each plane has `halo` additional rows before and after the rows of the
   * block. Rows outside of the grid are 0.
   */
  readonly inputs: Readonly<Record<string, P>>;
  /** Planes to fill, by name; all values are 0 when the function is called. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
}
/** A combine block function. It is pure: it reads `inputs` and writes `outputs`. */
export type CombineBlock<P extends Plane = Uint8Array> = (input: CombineBlockInput<P>) => void;

/**
 * Plan that computes new planes and a JSON value (polygons, tables) from whole planes of one grid. It is for work that needs all pixels at the
 * same time, such as flow over a terrain or connected regions. The plan is executed in one worker thread. All its inputs and outputs are in
 * memory, at most `WHOLE_BYTES`.
 */
export interface WholePlan {
  readonly kind: 'whole';
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, ScratchRaster>>;
  readonly block: BlockFunctionRef;
  readonly outputs: readonly OutputSpec[];
}

/** Maximum bytes of the inputs and outputs of a whole plan together, such as four float32 planes of 80 km x 80 km with pixels of 10 m. */
export const WHOLE_BYTES = 2 ** 30;

/** Input of a whole block function: planes `[rows * cols]` of the grid, row-major. */
export interface WholeBlockInput<P extends Plane = Plane> {
  readonly grid: PixelGrid;
  readonly inputs: Readonly<Record<string, P>>;
  /** Planes to fill, by name; all values are 0 when the function is called. */
  readonly outputs: Readonly<Record<string, P>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Share of the work that is done, 0-1. */
  readonly progress: (share: number) => void;
}
/**
 * A whole block function. It reads `inputs`, writes `outputs`, and returns a JSON value or a promise of a JSON value. The value must have no
 * undefined members and only finite numbers.
 */
export type WholeBlock<P extends Plane = Plane> = (input: WholeBlockInput<P>) => unknown;

const ARRAYS: { readonly [T in PlaneType]: new (length: number) => PlaneArrays[T] } = {
  uint8: Uint8Array,
  int16: Int16Array,
  float32: Float32Array,
};

/** Returns the plane with this name in the type that a block function needs; throws a TypeError if it is missing or has another type. */
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
 * Day of an instant (ISO 8601) in mean solar time at a longitude, as ISO date, like `solar_day` of odc-stac. Sentinel-2 passes at about 10:30
 * solar time, so the solar day never changes during a pass. The UTC day changes during passes over the Pacific.
 */
export function solarDay(datetime: string, longitude: number): string {
  return new Date(Date.parse(datetime) + longitude * MS_PER_DEGREE).toISOString().slice(0, 10);
}
