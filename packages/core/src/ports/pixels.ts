import type { MultiLineString, MultiPolygon, Point, Polygon } from 'geojson';
import type { CombinePlan, PixelGrid, PixelPlan, Plane, PlaneType, ScratchRaster, WholePlan } from './pixel-plan.ts';

/** Progress callback and abort signal of a long operation. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** Reports the share of this call's work that is done, 0-1, with an optional note. */
  readonly progress: (share: number, note?: string) => void;
  /** Writes a line to the run's log. */
  readonly log?: (message: string) => void;
}

/** Result of a plan: scratch rasters by name, and the scenes that were read for them. */
export interface PlanOutcome {
  readonly outputs: Readonly<Record<string, ScratchRaster>>;
  /** Ids of the scenes that gave at least one value. */
  readonly contributing: readonly string[];
  /** Reasons by scene id, for scenes within the steps that could be read but gave no value. */
  readonly unused: Readonly<Record<string, string>>;
  /** Number of blocks of the grid that were computed, and number of blocks outside of the area, in which all outputs are 0. */
  readonly pieces: { readonly computed: number; readonly outside: number };
  /** Reasons by scene id, for scenes that were left out because a file is broken or a band is missing. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Ids of the scenes in `skipped` whose servers did not respond, so that a later run may read them. Absent = none. */
  readonly unavailable?: readonly string[];
  /** Number of decoded pixels, summed over bands. */
  readonly decodedPixels: number;
}

/** Expected work of a plan, before anything is computed. */
export interface ReadEstimate {
  /** Scenes within the steps of the plan. */
  readonly scenes: number;
  /** Bytes that are read from files or servers. */
  readonly bytes: number;
  /** HTTP requests; 0 for local files. */
  readonly requests: number;
  /** Decoded pixels, summed over bands. */
  readonly decodedPixels: number;
  /** Pixels of the grids that are computed, summed over years. */
  readonly gridPixels: number;
  /** Peak memory of the process. */
  readonly memoryBytes: number;
  /** Scratch rasters on the disk. */
  readonly diskBytes: number;
}

/** Files, and the box within which they are read: west, south, east and north in degrees. */
export interface FilesInBox {
  readonly paths: readonly string[];
  readonly box: readonly [number, number, number, number];
}

/** Expected reads of files. */
export type FileReads = Pick<ReadEstimate, 'bytes' | 'requests'>;

/** A colour: red, green, blue and alpha, 0-255 each. */
export type Rgba = readonly [number, number, number, number];

/**
 * Method that computes an overview pixel from the 2 x 2 pixels below it; pixels without data are left out. `mode` is for classes, `average` for
 * measured values. `greatest` is for lines that are one pixel wide, which the other methods would lose.
 */
export type Overviews = 'mode' | 'average' | 'nearest' | 'greatest';

/**
 * Request to warp a scratch raster to an output grid (nearest), to clip it, and to write it as a COG of the raster's own type. With a
 * palette, the raster's values are classes. Without a palette, they are measured values, whose statistics are written as GDAL's
 * `STATISTICS_*`.
 */
export interface WriteCogRequest {
  readonly raster: ScratchRaster;
  /** Target grid, EPSG:4326. */
  readonly grid: PixelGrid;
  /** Polygons (lon/lat) to which the raster is clipped: pixels that they do not touch at any point get `nodata`. */
  readonly clip: readonly (Polygon | MultiPolygon)[];
  /** Colours by value, only for uint8; other values are transparent black. */
  readonly palette?: Readonly<Record<number, Rgba>>;
  /** Class names by value, written as GDAL category metadata. */
  readonly names?: Readonly<Record<number, string>>;
  /** Value that means no data in the raster and in the file; default 0. Float values that are not finite are also written as this value. */
  readonly nodata?: number;
  /** Method for the overviews; default: `mode`. */
  readonly overviews?: Overviews;
  /** Description of the band, such as what is measured and its unit. */
  readonly description?: string;
  /**
   * True: tiles whose pixels are all `nodata` are not written, which saves space for small areas in large boxes. Default: all tiles are written.
   */
  readonly sparse?: boolean;
  /**
   * Absolute path of the file. It is written under another name in the same folder and then renamed. So the file at this path is never
   * incomplete.
   */
  readonly path: string;
}

/** Statistics of the pixels with data. */
export interface ValueStatistics {
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** Standard deviation of the population, like GDAL's. */
  readonly stddev: number;
  /** Number of pixels with data. */
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
  /**
   * Number of pixels per value 0-255 on the output grid, `[256]`; pixels outside of the clip count as `nodata`. Empty if the type is not
   * uint8.
   */
  readonly histogram: readonly number[];
  /** Number of pixels inside the polygons of `clip`. */
  readonly inside: number;
  /** Statistics of measured values. Absent if the values are classes (with a palette), or if no pixel has data. */
  readonly statistics?: ValueStatistics;
}

/** A polygon (lon/lat) over which values are summed; results of zones with the same id are added. */
export interface Zone {
  readonly id: string;
  readonly geometry: Polygon | MultiPolygon;
}

/** Request for the area of each class in each polygon: ellipsoidal areas of pixels, weighted by the fraction that the polygon covers. */
export interface ZonalRequest {
  /** COG written by `writeCog` (EPSG:4326). */
  readonly path: string;
  readonly zones: readonly Zone[];
}

/** Hectares per value, `[256]`, by zone id. */
export type ZonalAreas = Readonly<Record<string, readonly number[]>>;

/** Request for statistics of the values of a raster in zones. The raster may have any sample type that the engine reads. */
export interface ZonalValuesRequest extends ZonalRequest {
  /** Quantiles to compute, each from 0 to 1. Quantiles need the values of all zones in memory, so at most 2^24 pixels are allowed. */
  readonly quantiles?: readonly number[];
  /** Bins of equal width from `from` to `to` (included), for `ZoneValues.histogram`; at most 2^24 bins of all zones together. */
  readonly histogram?: HistogramBins;
}

/** Bins of a histogram, at most 65,536. */
export interface HistogramBins {
  readonly from: number;
  readonly to: number;
  readonly bins: number;
}

/** Statistics of the pixels with data within a zone, weighted by area like `zonal`. */
export interface ZoneValues {
  /** Area with data, ha. */
  readonly areaHa: number;
  /** Mean weighted by area; null if no pixel has data. */
  readonly mean: number | null;
  /** Sum of value x area, m2. */
  readonly sum: number;
  /** Minimum over the pixels that the zone covers by at least a millionth; null if none of these pixels has data. */
  readonly min: number | null;
  readonly max: number | null;
  /** Number of the pixels that `min` and `max` use; 0 if there are none. */
  readonly pixels: number;
  /**
   * Requested quantiles of the pixels that `min` and `max` use, weighted by covered fraction and interpolated between neighbouring values as by
   * exactextract; null if no pixel has data.
   */
  readonly quantiles?: readonly (number | null)[];
  /** Area of each bin, ha; values outside of the bins do not count. */
  readonly histogram?: readonly number[];
}

/** Statistics by zone id. */
export type ZonalValues = Readonly<Record<string, ZoneValues>>;

/** Request for means of scratch rasters by zone and group of classes. */
export interface ZonalMeansRequest extends ZonalRequest {
  /** Classes of the COG at `path` by group name; a class may be in at most one group. */
  readonly groups: Readonly<Record<string, readonly number[]>>;
  /** Rasters in any CRS that the engine supports; a pixel of the COG gets the value at its centre. */
  readonly rasters: readonly ScratchRaster[];
  /** Value of the rasters that means no data. */
  readonly nodata: number;
}

/** Area-weighted means in the order of `rasters`, by zone id and group; null if the group has no data in the zone. */
export type ZonalMeans = Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;

/**
 * Request for areas by the classes of two rasters on the same grid (uint8, EPSG:4326). The result has the area of each
 * pair of classes.
 */
export interface ZonalPairsRequest extends ZonalRequest {
  /** COG whose classes divide the zones. */
  readonly by: string;
}

/** Area in which one raster has the class `value` and the other the class `by`. */
export interface PairArea {
  readonly by: number;
  readonly value: number;
  readonly areaHa: number;
}

/** Areas by zone id, ordered by `by`, then `value`; areas below a thousandth of a m2 are left out. */
export type ZonalPairs = Readonly<Record<string, readonly PairArea[]>>;

/** Request for the values of a raster at points and in polygons (lon/lat). */
export interface ValuesInRequest {
  /** Local GeoTIFF or COG, in any CRS that the engine supports. */
  readonly path: string;
  readonly geometries: readonly (Point | Polygon | MultiPolygon)[];
  /** Maximum number of pixels in total. */
  readonly most: number;
}

/**
 * Values of pixels, geometry by geometry. Geometry i has the values from `starts[i]` (included) to `starts[i + 1]` (excluded). A point has
 * one value: the value of the pixel that contains the point. A polygon has the values of the pixels whose centres are inside. NaN = no
 * data, or outside of the raster.
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

/** Request for a preview of a COG. The longer side of the preview has at most `size` pixels; pixels without data are transparent. */
interface PreviewRequest {
  readonly path: string;
  readonly size: number;
  /** Absolute path of the PNG to write. */
  readonly target: string;
}

/** Colours of a preview: a palette for classes (values without a colour are transparent), or a ramp of one or more stops for measured values. */
export type ThumbnailColors =
  | { readonly palette: Readonly<Record<number, Rgba>>; readonly ramp?: never }
  | { readonly ramp: readonly RampStop[]; readonly palette?: never };

/** Request for a preview of a raster with colours. */
export type ThumbnailRequest = PreviewRequest & ThumbnailColors;

/** Request for a preview of polygons: filled zones with outlines, then lines over them, in their order. */
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
 * Header of a raster file: its grid, the type of its values and their no-data value (null if it has none). Samples with a scale or an offset
 * are read as floats, with NaN for no data.
 */
export interface RasterHeader extends PixelGrid {
  readonly type: SampleType;
  readonly nodata: number | null;
}

/** A raster file that a caller provides. */
export interface SourceFile {
  /** Allowed folders (real paths) of a local file after its links are resolved; absent = any folder. */
  readonly within?: readonly string[] | undefined;
}

/**
 * Request to read one or more raster files on a grid. Each pixel is taken from the first file that has data there. Successive files whose pixels
 * are on the same lattice are read as one raster, so that a terrain model in tiles has no seams. `nearest`: the pixel that contains the centre.
 * `bilinear`: the four pixels around the centre, of which pixels without data are left out; the result has data if `nearest` would have data.
 * `average`: all pixels of the file that have data and overlap the pixel, weighted by the overlapping area. Values are samples after the file's
 * scale and offset. Pixels with the file's nodata value, or excluded by its mask or alpha band, have no data. Longitudes may exceed 180.
 */
export interface ReadRequest extends SourceFile {
  /** Local GeoTIFF, or http(s) address of a COG that the engine may request; a list for tiles of one data set. */
  readonly path: string | readonly string[];
  readonly grid: PixelGrid;
  /** Type of the result. For integer types values are rounded half up and clamped to the range. */
  readonly type: PlaneType;
  readonly resampling: 'nearest' | 'bilinear' | 'average';
  /** Value of pixels for which no file has data; the type `type` must be able to store the value exactly. */
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
  /** A Uint8Array, an Int16Array or a Float32Array; the raster gets the type of the array. */
  readonly values: Plane;
}

/** All operations on pixels. `@headwater/raster` implements it; some tests use a fake. */
export interface PixelEngine {
  execute(plan: PixelPlan, context: WorkContext): Promise<PlanOutcome>;
  /**
   * Estimates the work of a plan. Reads only the headers of some scenes, and no pixels. Absent if the engine cannot do
   * this.
   */
  estimate?(plan: PixelPlan, context: WorkContext): Promise<ReadEstimate>;
  /** Estimates the reads of the part of files in a box, from their headers. Absent if the engine cannot do this. */
  estimateFiles?(request: FilesInBox, context: WorkContext): Promise<FileReads>;
  combine(plan: CombinePlan, context: WorkContext): Promise<Readonly<Record<string, ScratchRaster>>>;
  whole(plan: WholePlan, context: WorkContext): Promise<WholeOutcome>;
  read(request: ReadRequest, context: WorkContext): Promise<ScratchRaster>;
  /**
   * Makes a scratch raster from values. The raster can be written, combined and drawn like a raster of a plan. Throws `input_data` if the number
   * of values differs from the number of pixels.
   */
  fromValues(request: ValuesRequest): Promise<ScratchRaster>;
  /** Reads the header of a GeoTIFF or COG. Throws `input_data` if it cannot be read, and the signal's reason when the signal aborts. */
  gridOf(path: string, source?: SourceFile, signal?: AbortSignal): Promise<RasterHeader>;
  writeCog(request: WriteCogRequest, context: WorkContext): Promise<WrittenRaster>;
  zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas>;
  zonalValues(request: ZonalValuesRequest, context: WorkContext): Promise<ZonalValues>;
  zonalPairs(request: ZonalPairsRequest, context: WorkContext): Promise<ZonalPairs>;
  zonalMeans(request: ZonalMeansRequest, context: WorkContext): Promise<ZonalMeans>;
  /** Reads values at geometries. Throws `input_data` for more than `most` pixels, and for a file that cannot be read. */
  valuesIn(request: ValuesInRequest, context: WorkContext): Promise<ValuesIn>;
  thumbnail(request: ThumbnailRequest): Promise<void>;
  zoneThumbnail(request: ZoneThumbnailRequest): Promise<void>;
  /** Frees scratch rasters; safe to call twice. */
  release(rasters: readonly ScratchRaster[]): Promise<void>;
  /** Checks the engine with a small task and returns a description. Throws if its workers do not start or its folder is not writable. */
  probe?(): Promise<string>;
  close(): Promise<void>;
}
