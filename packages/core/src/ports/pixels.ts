import type { MultiLineString, MultiPolygon, Point, Polygon } from 'geojson';
import type { CombinePlan, PixelGrid, PixelPlan, Plane, PlaneType, ScratchRaster, WholePlan } from './pixel-plan.ts';

/** Progress callback and abort signal of a long operation. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** Share of this call's work that is done, 0-1, with an optional note. */
  readonly progress: (share: number, note?: string) => void;
  /** Writes a line to the run's log. */
  readonly log?: (message: string) => void;
}

/** Result of a plan: named scratch rasters, and the scenes that were read for them. */
export interface PlanOutcome {
  readonly outputs: Readonly<Record<string, ScratchRaster>>;
  /** Ids of the scenes that gave at least one value. */
  readonly contributing: readonly string[];
  /** Scene id -> reason, for scenes within the steps that could be read but gave nothing. */
  readonly unused: Readonly<Record<string, string>>;
  /** Number of grid pieces that were computed, and of pieces outside the area, in which all outputs are 0. */
  readonly pieces: { readonly computed: number; readonly outside: number };
  /** Scene id -> reason, for scenes that were left out because a file is broken or a band is missing. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Ids among `skipped` whose servers did not answer: a later run may read them. Absent = none. */
  readonly unavailable?: readonly string[];
  /** Pixels (bands summed) that were decoded, for rates. */
  readonly decodedPixels: number;
}

/** One colour of a palette: 0-255 each. */
export type Rgba = readonly [number, number, number, number];

/**
 * Resampling of the 2 x 2 pixels with data below an overview pixel: `mode` suits classes, `average` measured values, `greatest` lines one
 * pixel wide, which the others lose.
 */
export type Overviews = 'mode' | 'average' | 'nearest' | 'greatest';

/**
 * Warps a scratch raster to one output grid (nearest), clips it, and writes it as a COG of the raster's own type. With a palette its values
 * are classes; without, they are measured values, whose statistics are written as GDAL's `STATISTICS_*`.
 */
export interface WriteCogRequest {
  readonly raster: ScratchRaster;
  /** Target grid, EPSG:4326. */
  readonly grid: PixelGrid;
  /** Pixels that these polygons (lon/lat) do not touch get `nodata`; pixels touched at any point are kept. */
  readonly clip: readonly (Polygon | MultiPolygon)[];
  /** Only for uint8: value -> colour; values absent are transparent black. */
  readonly palette?: Readonly<Record<number, Rgba>>;
  /** Value -> class name, written as GDAL category metadata. */
  readonly names?: Readonly<Record<number, string>>;
  /** Value of the raster, and of the file, that means no data; default 0. Float values that are not finite get it too. */
  readonly nodata?: number;
  /** Default: `mode`. */
  readonly overviews?: Overviews;
  /** Description of the band, such as what is measured and its unit. */
  readonly description?: string;
  /** Absolute path to write. The file is written next to it and then renamed, so it is never incomplete. */
  readonly path: string;
}

/** Statistics of the pixels with data. */
export interface ValueStatistics {
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** Of the population, as GDAL's. */
  readonly stddev: number;
  /** Pixels with data. */
  readonly count: number;
  /** Share of pixels with data among all pixels of the file, 0-100. */
  readonly validPercent: number;
}

/** Description of a written COG. */
export interface WrittenRaster {
  readonly path: string;
  readonly bytes: number;
  /** Hex sha-256 of the file. */
  readonly sha256: string;
  readonly grid: PixelGrid;
  /** Pixels per value 0-255 on the output grid, `[256]`; the count of `nodata` includes pixels outside the clip. Empty unless uint8. */
  readonly histogram: readonly number[];
  /** Pixels inside the clip. */
  readonly inside: number;
  /** Absent for classes (a palette), and if no pixel has data. */
  readonly statistics?: ValueStatistics;
}

/** A polygon (lon/lat) over which values are summed; zones with the same id are added. */
export interface Zone {
  readonly id: string;
  readonly geometry: Polygon | MultiPolygon;
}

/** Area per class of each polygon: ellipsoidal pixel areas, edge pixels weighted by covered fraction. */
export interface ZonalRequest {
  /** COG written by `writeCog` (EPSG:4326). */
  readonly path: string;
  readonly zones: readonly Zone[];
}

/** Zone id -> `[256]` hectares per value. */
export type ZonalAreas = Readonly<Record<string, readonly number[]>>;

/** Statistics of a raster's values within a zone, over cells with data, weighted by area like `zonal`. */
export interface ZoneValues {
  /** Area with data, ha. */
  readonly areaHa: number;
  /** Mean by area; null where no cell has data. */
  readonly mean: number | null;
  /** Sum of value x m2. */
  readonly sum: number;
  /** Minimum over cells of which the zone covers at least a millionth; null if none has data. */
  readonly min: number | null;
  readonly max: number | null;
  /** Number of those cells, each counted whole; 0 if all other members are 0 or null. */
  readonly pixels: number;
}

/** Zone id -> statistics. */
export type ZonalValues = Readonly<Record<string, ZoneValues>>;

/** Scratch rasters to average by zone and class; none of them is written. */
export interface ZonalMeansRequest extends ZonalRequest {
  /** Group name -> classes of the COG at `path`; a class is in one group at most. */
  readonly groups: Readonly<Record<string, readonly number[]>>;
  /** Rasters in any CRS that the engine supports; a pixel of the COG takes the value at its centre. */
  readonly rasters: readonly ScratchRaster[];
  /** Value of the rasters that means no data. */
  readonly nodata: number;
}

/** Zone id -> group -> mean by area of each raster, in their order; null if the group has no data in the zone. */
export type ZonalMeans = Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;

/** Areas of each class of one raster within each class of another of the same grid (uint8, EPSG:4326). */
export interface ZonalPairsRequest extends ZonalRequest {
  /** COG whose classes divide the zones. */
  readonly by: string;
}

/** Hectares of class `value` in which the other raster has class `by`. */
export interface PairArea {
  readonly by: number;
  readonly value: number;
  readonly areaHa: number;
}

/** Zone id -> areas above a thousandth of a m2, ascending by `by`, then `value`. */
export type ZonalPairs = Readonly<Record<string, readonly PairArea[]>>;

/** Points and polygons (lon/lat) at which the values of a raster are read. */
export interface ValuesInRequest {
  /** Local GeoTIFF or COG, in any CRS that the engine supports. */
  readonly path: string;
  readonly geometries: readonly (Point | Polygon | MultiPolygon)[];
  /** Maximum number of pixels in total. */
  readonly most: number;
}

/**
 * Values of pixels, geometry by geometry: those of geometry i are at `starts[i]` to `starts[i + 1]`. A point has the pixel that contains
 * it, a polygon the pixels whose centres are inside (none if it is too small). NaN: no data, or outside of the raster.
 */
export interface ValuesIn {
  readonly values: Float64Array;
  readonly starts: readonly number[];
}

/** A value and its colour. Colours are interpolated between stops and constant beyond the first and last. */
export interface RampStop {
  readonly value: number;
  readonly color: Rgba;
}

/** Preview of a COG: long side <= `size` px, transparent where there is no data. */
interface PreviewRequest {
  readonly path: string;
  readonly size: number;
  /** Absolute path of the PNG to write. */
  readonly target: string;
}

/** Classes by a palette (indexed colours, values without one transparent), or values by a ramp of one or more stops. */
export type ThumbnailColors =
  | { readonly palette: Readonly<Record<number, Rgba>>; readonly ramp?: never }
  | { readonly ramp: readonly RampStop[]; readonly palette?: never };

/** Preview of a raster in its colours. */
export type ThumbnailRequest = PreviewRequest & ThumbnailColors;

/** Preview of polygons: value per zone -> colour, outlines drawn, then lines over them in their order. */
export interface ZoneThumbnailRequest {
  readonly zones: readonly { readonly geometry: Polygon | MultiPolygon; readonly fill: Rgba }[];
  /** Lines (lon/lat) within the extent of the zones; `width` in pixels of the preview, default 1. */
  readonly lines?: readonly { readonly geometry: MultiLineString; readonly color: Rgba; readonly width?: number }[];
  readonly outline: Rgba;
  readonly size: number;
  readonly target: string;
}

/** Sample types of files that can be read. */
export type SampleType = PlaneType | 'int8' | 'uint16' | 'uint32' | 'int32' | 'float64';

/**
 * Header of a raster file: its own grid, the type of its values and their no-data value (null if it has none). Samples with a scale or an
 * offset become floats, with NaN for no data.
 */
export interface RasterHeader extends PixelGrid {
  readonly type: SampleType;
  readonly nodata: number | null;
}

/** A raster file that a caller provides. */
export interface SourceFile {
  /** Real paths of the folders that must contain a local file once links are followed; absent = any folder. */
  readonly within?: readonly string[] | undefined;
}

/**
 * Values of one or more raster files on a grid; if there are several, the first with data gives each pixel. Neighbours in the list whose
 * pixels are on one lattice are read as one raster, so that a terrain model in tiles has no seams.
 * `nearest`: the pixel that contains the centre. `bilinear`: the four pixels around the centre, without those that have no data; it has
 * data if `nearest` has. `average`: all pixels under the pixel with data, by the area that they share with it. Values are samples by the
 * file's scale and offset; pixels excluded by its nodata value, mask or alpha band have no data. Longitudes continue beyond 180 degrees.
 */
export interface ReadRequest extends SourceFile {
  /** Local GeoTIFF, or http(s) COG that the engine may reach; tiles of one data set as a list. */
  readonly path: string | readonly string[];
  readonly grid: PixelGrid;
  /** Type of the result. For integer types values are rounded half up and clamped to the range. */
  readonly type: PlaneType;
  readonly resampling: 'nearest' | 'bilinear' | 'average';
  /** Value of pixels without data in every source; `type` must represent it exactly. */
  readonly nodata: number;
}

/** New scratch rasters of a whole plan, and the value that its block function returned. */
export interface WholeOutcome {
  readonly outputs: Readonly<Record<string, ScratchRaster>>;
  readonly value: unknown;
}

/** Values that a pipeline computed itself: one for each pixel of the grid, row-major from the north-west. */
export interface ValuesRequest {
  readonly grid: PixelGrid;
  /** A Uint8Array, an Int16Array or a Float32Array; the raster has its type. */
  readonly values: Plane;
}

/** All operations on pixels. Implemented by `@headwater/raster`; tests use a fake with the same calls. */
export interface PixelEngine {
  execute(plan: PixelPlan, context: WorkContext): Promise<PlanOutcome>;
  combine(plan: CombinePlan, context: WorkContext): Promise<Readonly<Record<string, ScratchRaster>>>;
  whole(plan: WholePlan, context: WorkContext): Promise<WholeOutcome>;
  read(request: ReadRequest, context: WorkContext): Promise<ScratchRaster>;
  /**
   * Makes a scratch raster of values, which can be written, combined and drawn like those of a plan. Throws `input_data` if the number of
   * values differs from the number of pixels.
   */
  fromValues(request: ValuesRequest): Promise<ScratchRaster>;
  /** Reads the header of a GeoTIFF or COG; throws `input_data` for one that cannot be read, and the signal's reason when it aborts. */
  gridOf(path: string, source?: SourceFile, signal?: AbortSignal): Promise<RasterHeader>;
  writeCog(request: WriteCogRequest, context: WorkContext): Promise<WrittenRaster>;
  zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas>;
  zonalValues(request: ZonalRequest, context: WorkContext): Promise<ZonalValues>;
  zonalPairs(request: ZonalPairsRequest, context: WorkContext): Promise<ZonalPairs>;
  zonalMeans(request: ZonalMeansRequest, context: WorkContext): Promise<ZonalMeans>;
  /** Throws `input_data` for more than `most` pixels, and for a file that cannot be read. */
  valuesIn(request: ValuesInRequest, context: WorkContext): Promise<ValuesIn>;
  thumbnail(request: ThumbnailRequest): Promise<void>;
  zoneThumbnail(request: ZoneThumbnailRequest): Promise<void>;
  /** Frees the scratch rasters made for this run key; safe to call twice. */
  release(rasters: readonly ScratchRaster[]): Promise<void>;
  /** Tries the engine on a small task and returns its description; throws when its workers do not start or its folder is not writable. */
  probe?(): Promise<string>;
  close(): Promise<void>;
}
