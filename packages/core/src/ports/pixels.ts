import type { MultiLineString, MultiPolygon, Point, Polygon } from 'geojson';
import type { CombinePlan, PixelGrid, PixelPlan, Plane, PlaneType, ScratchRaster, WholePlan } from './pixel-plan.ts';

/** How long work reports and stops. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** Share of this call's work that is done, 0-1, with an optional note. */
  readonly progress: (share: number, note?: string) => void;
}

/** Result of a plan: named scratch rasters and what was read for them. */
export interface PlanOutcome {
  readonly outputs: Readonly<Record<string, ScratchRaster>>;
  /** Ids of the scenes that gave at least one value. */
  readonly contributing: readonly string[];
  /** Scene id -> reason, for scenes within the steps that could be read but gave nothing. */
  readonly unused: Readonly<Record<string, string>>;
  /** Pieces of the grid that were computed, and those that the area does not touch: there all outputs are 0. */
  readonly pieces: { readonly computed: number; readonly outside: number };
  /** Scene id -> reason, for scenes that were left out because a file is broken or a band is missing. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Ids among `skipped` whose servers did not answer: another time they may. Absent = none. */
  readonly unavailable?: readonly string[];
  /** Pixels (bands summed) that were decoded, for rates. */
  readonly decodedPixels: number;
}

/** One colour of a palette: 0-255 each. */
export type Rgba = readonly [number, number, number, number];

/**
 * How an overview pixel is made of the 2 x 2 pixels below it, those without data left out: `mode` suits classes, `average` measured
 * values, `greatest` lines one pixel wide, which the others lose.
 */
export type Overviews = 'mode' | 'average' | 'nearest' | 'greatest';

/**
 * Warp a scratch raster to one output grid (nearest), clip, and write it as a COG of the raster's own type. With a palette it holds
 * classes; without, measured values, whose statistics stand in the file as GDAL's `STATISTICS_*`.
 */
export interface WriteCogRequest {
  readonly raster: ScratchRaster;
  /** Target grid, EPSG:4326. */
  readonly grid: PixelGrid;
  /** Pixels that these polygons (lon/lat) do not touch get `nodata`. Pixels touched anywhere are kept. */
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
  /** Absolute path to write; written beside it and renamed, never half there. */
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
  /** Their share of all pixels of the file, 0-100. */
  readonly validPercent: number;
}

/** What a written COG holds. */
export interface WrittenRaster {
  readonly path: string;
  readonly bytes: number;
  /** Hex sha-256 of the file. */
  readonly sha256: string;
  readonly grid: PixelGrid;
  /** Pixels per value 0-255 on the output grid, `[256]`; that of `nodata` also counts pixels outside the clip. Empty unless uint8. */
  readonly histogram: readonly number[];
  /** Pixels inside the clip. */
  readonly inside: number;
  /** Absent for classes (a palette), and where no pixel has data. */
  readonly statistics?: ValueStatistics;
}

/** A polygon (lon/lat) for which something is summed; zones of one id are added. */
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

/** Statistics of a raster's values within a zone, over cells with data, weighted by area as `zonal` does. */
export interface ZoneValues {
  /** Area with data, ha. */
  readonly areaHa: number;
  /** Mean by area; null where no cell has data. */
  readonly mean: number | null;
  /** Sum of value x m2. */
  readonly sum: number;
  /** Of the cells that the zone touches, by a millionth at least; null where none has data. */
  readonly min: number | null;
  readonly max: number | null;
  /** Those cells, each counted whole; 0 makes all of this 0 or null. */
  readonly pixels: number;
}

/** Zone id -> statistics. */
export type ZonalValues = Readonly<Record<string, ZoneValues>>;

/** Scratch rasters to be averaged by zone and class, none of which is written. */
export interface ZonalMeansRequest extends ZonalRequest {
  /** Name -> classes of the COG at `path`, each in one group at most. */
  readonly groups: Readonly<Record<string, readonly number[]>>;
  /** In any CRS that the engine knows; a pixel of the COG takes the value that its centre lies in. */
  readonly rasters: readonly ScratchRaster[];
  /** Value of the rasters that means no data. */
  readonly nodata: number;
}

/** Zone id -> group -> mean by area of each raster, in their order; null where the group has no data in the zone. */
export type ZonalMeans = Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;

/** Areas of each class of one raster within each class of another of the same grid (uint8, EPSG:4326). */
export interface ZonalPairsRequest extends ZonalRequest {
  /** COG whose classes part the zones. */
  readonly by: string;
}

/** Hectares of class `value` where the other raster has class `by`. */
export interface PairArea {
  readonly by: number;
  readonly value: number;
  readonly areaHa: number;
}

/** Zone id -> areas above a thousandth of a m2, ascending by `by`, then `value`. */
export type ZonalPairs = Readonly<Record<string, readonly PairArea[]>>;

/** Points and polygons (lon/lat) under which the values of a raster are wanted. */
export interface ValuesInRequest {
  /** Local GeoTIFF or COG, in any CRS that the engine knows. */
  readonly path: string;
  readonly geometries: readonly (Point | Polygon | MultiPolygon)[];
  /** Pixels that all of them may have together. */
  readonly most: number;
}

/**
 * Values of pixels, geometry by geometry: those of geometry i stand from `starts[i]` to `starts[i + 1]`. A point has the pixel that
 * holds it, a polygon those whose centres lie inside (none where it is too small). NaN: no data, or outside of the raster.
 */
export interface ValuesIn {
  readonly values: Float64Array;
  readonly starts: readonly number[];
}

/** A value and its colour; between two stops colours are interpolated, beyond the ends they stay. */
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

/** Sample types of files that are read. */
export type SampleType = PlaneType | 'int8' | 'uint16' | 'uint32' | 'int32' | 'float64';

/**
 * What a raster file says of itself: its own grid, the type of its values and their no-data value (NaN where it says so, null where it has
 * none). Values that a scale or an offset makes of samples are floats, NaN where there is no data.
 */
export interface RasterHeader extends PixelGrid {
  readonly type: SampleType;
  readonly nodata: number | null;
}

/** A file that is given from outside. */
export interface SourceFile {
  /** Real paths of the folders that a local file must lie in once links are followed; absent = anywhere. */
  readonly within?: readonly string[] | undefined;
}

/**
 * Values of one or more raster files on a grid; of several, the first that has data gives each pixel. Neighbours in the list whose pixels lie
 * on one lattice are read as one raster, so that a terrain model in tiles has no seams.
 * `nearest`: the pixel in which the centre lies. `bilinear`: the four around the centre, those without data left out; it has data
 * where `nearest` has. `average`: all pixels under the pixel with data, by the area that they share with it. Values are samples by the file's
 * scale and offset; what its nodata value, mask or alpha band leave out has no data. Longitudes go on beyond 180 degrees.
 */
export interface ReadRequest extends SourceFile {
  /** Local GeoTIFF or http(s) COG that the engine may reach; tiles of one data set as a list. */
  readonly path: string | readonly string[];
  readonly grid: PixelGrid;
  /** Type of the result; values are rounded half up and held within its range where it has whole numbers. */
  readonly type: PlaneType;
  readonly resampling: 'nearest' | 'bilinear' | 'average';
  /** Written where no source has data; `type` must hold it exactly. */
  readonly nodata: number;
}

/** New scratch rasters of a whole plan, and the value that its block function returned. */
export interface WholeOutcome {
  readonly outputs: Readonly<Record<string, ScratchRaster>>;
  readonly value: unknown;
}

/** Values that a pipeline has itself: one for each pixel of the grid, row-major from the north-west. */
export interface ValuesRequest {
  readonly grid: PixelGrid;
  /** A Uint8Array, an Int16Array or a Float32Array: the raster is of its type. */
  readonly values: Plane;
}

/** Everything that touches pixels. Implemented by `@headwater/raster`; a fake of it speaks the same calls in tests. */
export interface PixelEngine {
  execute(plan: PixelPlan, context: WorkContext): Promise<PlanOutcome>;
  combine(plan: CombinePlan, context: WorkContext): Promise<Readonly<Record<string, ScratchRaster>>>;
  whole(plan: WholePlan, context: WorkContext): Promise<WholeOutcome>;
  read(request: ReadRequest, context: WorkContext): Promise<ScratchRaster>;
  /** Makes a scratch raster of values, which is written, combined and drawn like those of a plan. Throws `input_data` where the grid has other pixels than there are values. */
  fromValues(request: ValuesRequest): Promise<ScratchRaster>;
  /** Headers of a GeoTIFF or COG; throws `input_data` for one that cannot be read, and the signal's reason when that aborts. */
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
  /** Tries the engine in a small way and says what it is; throws when its workers do not start or its folder takes nothing. */
  probe?(): Promise<string>;
  close(): Promise<void>;
}
