import type { MultiLineString, MultiPolygon, Point, Polygon } from 'geojson';
import type { CombinePlan, PixelGrid, PixelPlan, Plane, PlaneType, ScratchRaster, WholePlan } from './pixel-plan.ts';

/** Progress callback and abort signal of a long operation. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** Reports the finished share of this call's work, 0-1. */
  readonly progress: (share: number, note?: string) => void;
  /** Writes a line to the run's log. */
  readonly log?: (message: string) => void;
}

/** Result of a plan: scratch rasters by name, and the scenes that were read. */
export interface PlanOutcome {
  readonly outputs: Readonly<Record<string, ScratchRaster>>;
  /** Ids of the scenes that gave at least one value. */
  readonly contributing: readonly string[];
  /** Reasons why readable scenes gave no value, by scene id. */
  readonly unused: Readonly<Record<string, string>>;
  /** Numbers of computed blocks, and of blocks outside of the area. */
  readonly pieces: { readonly computed: number; readonly outside: number };
  /** Reasons why scenes could not be read, by scene id, such as a broken file or a missing band. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Ids of the scenes in `skipped` whose servers did not respond. */
  readonly unavailable?: readonly string[];
  /** Number of decoded pixels, summed over bands. */
  readonly decodedPixels: number;
}

/** Expected work of a plan. */
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

/** Files, and the box (degrees) within which they are read. */
export interface FilesInBox {
  readonly paths: readonly string[];
  readonly box: readonly [number, number, number, number];
}

/** Expected reads of files. */
export type FileReads = Pick<ReadEstimate, 'bytes' | 'requests'>;

/** A colour: red, green, blue and alpha, 0-255 each. */
export type Rgba = readonly [number, number, number, number];

/**
 * Method that computes an overview pixel from 2 x 2 pixels: `mode` for classes, `average` for values, `greatest` for
 * thin lines.
 */
export type Overviews = 'mode' | 'average' | 'nearest' | 'greatest';

/**
 * Request to warp a scratch raster to an output grid (nearest), clip it, and write a COG. With a palette, values are
 * classes.
 */
export interface WriteCogRequest {
  readonly raster: ScratchRaster;
  /** Target grid, EPSG:4326. */
  readonly grid: PixelGrid;
  /** Polygons (lon/lat) to which the raster is clipped; other pixels get `nodata`. */
  readonly clip: readonly (Polygon | MultiPolygon)[];
  /** Colours by value, only for uint8; other values are transparent black. */
  readonly palette?: Readonly<Record<number, Rgba>>;
  /** Class names by value, written as GDAL category metadata. */
  readonly names?: Readonly<Record<number, string>>;
  /** Value that means no data; default 0. */
  readonly nodata?: number;
  /** Method for the overviews; default: `mode`. */
  readonly overviews?: Overviews;
  /** Description of the band, such as what is measured and its unit. */
  readonly description?: string;
  /** If true, tiles without data are not written, which saves space in large boxes. */
  readonly sparse?: boolean;
  /** Absolute path of the file. The file appears at this path only when it is complete. */
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
  /** Number of pixels per value 0-255, `[256]`, only for uint8. */
  readonly histogram: readonly number[];
  /** Number of pixels inside the polygons of `clip`. */
  readonly inside: number;
  /** Statistics of measured values; absent for classes, or if no pixel has data. */
  readonly statistics?: ValueStatistics;
}

/** A polygon (lon/lat) over which values are summed; results of zones with equal ids are added. */
export interface Zone {
  readonly id: string;
  readonly geometry: Polygon | MultiPolygon;
}

/** Request for the area of each class in each polygon: ellipsoidal pixel areas, weighted by covered fraction. */
export interface ZonalRequest {
  /** COG written by `writeCog` (EPSG:4326). */
  readonly path: string;
  readonly zones: readonly Zone[];
}

/** Hectares per value, `[256]`, by zone id. */
export type ZonalAreas = Readonly<Record<string, readonly number[]>>;

/** Request for statistics of a raster's values in zones. */
export interface ZonalValuesRequest extends ZonalRequest {
  /** Quantiles to compute, 0 to 1. All zones together may have at most 2^24 pixels. */
  readonly quantiles?: readonly number[];
  /** Bins of equal width for `ZoneValues.histogram`. */
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
  /** Minimum over the pixels that the zone covers by at least a millionth. */
  readonly min: number | null;
  readonly max: number | null;
  /** Number of the pixels that `min` and `max` use. */
  readonly pixels: number;
  /** Quantiles of the same pixels as `min` and `max`, weighted by covered fraction, as exactextract computes them. */
  readonly quantiles?: readonly (number | null)[];
  /** Area of each bin, ha, without values outside of the bins. */
  readonly histogram?: readonly number[];
}

/** Statistics by zone id. */
export type ZonalValues = Readonly<Record<string, ZoneValues>>;

/** Request for means of scratch rasters by zone and group of classes. */
export interface ZonalMeansRequest extends ZonalRequest {
  /** Classes of the COG at `path` by group name; a class is in at most one group. */
  readonly groups: Readonly<Record<string, readonly number[]>>;
  /** Rasters in any supported CRS; a pixel of the COG gets the value at its centre. */
  readonly rasters: readonly ScratchRaster[];
  /** Value of the rasters that means no data. */
  readonly nodata: number;
}

/** Area-weighted means in the order of `rasters`, by zone id and group; null without data. */
export type ZonalMeans = Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;

/** Request for the area of each pair of classes of two rasters on one grid (uint8, EPSG:4326). */
export interface ZonalPairsRequest extends ZonalRequest {
  /** COG whose classes divide the zones. */
  readonly by: string;
}

/** Area in which the raster at `path` has the class `value`, and the raster `by` has the class `by`. */
export interface PairArea {
  readonly by: number;
  readonly value: number;
  readonly areaHa: number;
}

/** Areas by zone id, ordered by `by`, then `value`. Areas of at most a thousandth of a m2 are left out. */
export type ZonalPairs = Readonly<Record<string, readonly PairArea[]>>;

/** Request for the values of a raster at points and in polygons (lon/lat). */
export interface ValuesInRequest {
  /** Local GeoTIFF or COG, in any supported CRS. */
  readonly path: string;
  readonly geometries: readonly (Point | Polygon | MultiPolygon)[];
  /** Maximum number of pixels in total. */
  readonly most: number;
}

/** Values of pixels, NaN without data. Geometry i has the values from `starts[i]` to `starts[i + 1]` (excluded). */
export interface ValuesIn {
  readonly values: Float64Array;
  readonly starts: readonly number[];
}

/** A value and its colour, interpolated between stops. */
export interface RampStop {
  readonly value: number;
  readonly color: Rgba;
}

/** Request for a preview of a COG; the longer side has at most `size` pixels. */
interface PreviewRequest {
  readonly path: string;
  readonly size: number;
  /** Absolute path of the PNG to write. */
  readonly target: string;
}

/** Colours of a preview: a palette for classes, or a ramp for measured values. */
export type ThumbnailColors =
  | { readonly palette: Readonly<Record<number, Rgba>>; readonly ramp?: never }
  | { readonly ramp: readonly RampStop[]; readonly palette?: never };

/** Request for a preview of a raster with colours. */
export type ThumbnailRequest = PreviewRequest & ThumbnailColors;

/** Request for a preview of polygons: filled zones with outlines, then lines. */
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

/** Header of a raster file. Samples with a scale or an offset are read as floats, with NaN for no data. */
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
 * Request to read raster files on a grid; each pixel is taken from the first file with data. `bilinear` uses the four
 * pixels around the centre, `average` all overlapping pixels. Longitudes may exceed 180.
 */
export interface ReadRequest extends SourceFile {
  /** Local GeoTIFF, or http(s) address of a COG; a list for tiles of one data set. */
  readonly path: string | readonly string[];
  readonly grid: PixelGrid;
  /** Type of the result. Integers are rounded half up and clamped to the range. */
  readonly type: PlaneType;
  readonly resampling: 'nearest' | 'bilinear' | 'average';
  /** Value of pixels without data, which `type` must store exactly. */
  readonly nodata: number;
}

/** New scratch rasters of a whole plan, and the value of its block function. */
export interface WholeOutcome {
  readonly outputs: Readonly<Record<string, ScratchRaster>>;
  readonly value: unknown;
}

/** Values that a pipeline computed, one for each pixel of the grid, row-major from the north-west. */
export interface ValuesRequest {
  readonly grid: PixelGrid;
  /** The raster gets the type of the array. */
  readonly values: Plane;
}

/** All operations on pixels, implemented by `@headwater/raster`. */
export interface PixelEngine {
  execute(plan: PixelPlan, context: WorkContext): Promise<PlanOutcome>;
  /** Estimates the work of a plan from the headers of some scenes. */
  estimate?(plan: PixelPlan, context: WorkContext): Promise<ReadEstimate>;
  /** Estimates the reads of files within a box, from the headers of the files. */
  estimateFiles?(request: FilesInBox, context: WorkContext): Promise<FileReads>;
  combine(plan: CombinePlan, context: WorkContext): Promise<Readonly<Record<string, ScratchRaster>>>;
  whole(plan: WholePlan, context: WorkContext): Promise<WholeOutcome>;
  read(request: ReadRequest, context: WorkContext): Promise<ScratchRaster>;
  /** Makes a scratch raster from values. Throws `input_data` for a wrong number of values. */
  fromValues(request: ValuesRequest): Promise<ScratchRaster>;
  /** Reads the header of a GeoTIFF or COG. Throws `input_data` for an unreadable file, or the signal's reason. */
  gridOf(path: string, source?: SourceFile, signal?: AbortSignal): Promise<RasterHeader>;
  writeCog(request: WriteCogRequest, context: WorkContext): Promise<WrittenRaster>;
  zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas>;
  zonalValues(request: ZonalValuesRequest, context: WorkContext): Promise<ZonalValues>;
  zonalPairs(request: ZonalPairsRequest, context: WorkContext): Promise<ZonalPairs>;
  zonalMeans(request: ZonalMeansRequest, context: WorkContext): Promise<ZonalMeans>;
  /** Reads values at geometries. Throws `input_data` for more than `most` pixels, and for an unreadable file. */
  valuesIn(request: ValuesInRequest, context: WorkContext): Promise<ValuesIn>;
  thumbnail(request: ThumbnailRequest): Promise<void>;
  zoneThumbnail(request: ZoneThumbnailRequest): Promise<void>;
  /** Frees scratch rasters; safe to call twice. */
  release(rasters: readonly ScratchRaster[]): Promise<void>;
  /** Checks the engine with a small task and returns a description; throws if it does not work. */
  probe?(): Promise<string>;
  close(): Promise<void>;
}
