import type { MultiPolygon, Polygon } from 'geojson';
import type { CombinePlan, PixelGrid, PixelPlan, ScratchRaster } from './pixel-plan.ts';

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

/** Warp scratch rasters to one output grid (nearest), clip, and write each as a COG: uint8, palette, nodata 0, overviews by mode. */
export interface WriteCogRequest {
  readonly raster: ScratchRaster;
  /** Target grid, EPSG:4326. */
  readonly grid: PixelGrid;
  /** Pixels that these polygons (lon/lat) do not touch become 0. Pixels touched anywhere are kept. */
  readonly clip: readonly (Polygon | MultiPolygon)[];
  /** Value -> colour; values absent are transparent black. */
  readonly palette: Readonly<Record<number, Rgba>>;
  /** Value -> class name, written as GDAL category metadata. */
  readonly names?: Readonly<Record<number, string>>;
  /** Absolute path to write; written beside it and renamed, never half there. */
  readonly path: string;
}

/** What a written COG holds. */
export interface WrittenRaster {
  readonly path: string;
  readonly bytes: number;
  /** Hex sha-256 of the file. */
  readonly sha256: string;
  readonly grid: PixelGrid;
  /** Pixels per value 0-255 on the output grid; `[256]`. Value 0 also counts pixels outside the clip. */
  readonly histogram: readonly number[];
  /** Pixels inside the clip. */
  readonly inside: number;
}

/** Area per class of each polygon: ellipsoidal pixel areas, edge pixels weighted by covered fraction. */
export interface ZonalRequest {
  /** COG written by `writeCog` (EPSG:4326). */
  readonly path: string;
  readonly zones: readonly { readonly id: string; readonly geometry: Polygon | MultiPolygon }[];
}

/** Zone id -> `[256]` hectares per value. */
export type ZonalAreas = Readonly<Record<string, readonly number[]>>;

/** Preview of a COG: long side <= `size` px, indexed colours, transparent outside. */
export interface ThumbnailRequest {
  readonly path: string;
  readonly palette: Readonly<Record<number, Rgba>>;
  readonly size: number;
  /** Absolute path of the PNG to write. */
  readonly target: string;
}
/** Preview of polygons: value per zone -> colour, outlines drawn. */
export interface ZoneThumbnailRequest {
  readonly zones: readonly { readonly geometry: Polygon | MultiPolygon; readonly fill: Rgba }[];
  readonly outline: Rgba;
  readonly size: number;
  readonly target: string;
}

/** Everything that touches pixels. Implemented by `@headwater/raster`; a fake of it speaks the same calls in tests. */
export interface PixelEngine {
  execute(plan: PixelPlan, context: WorkContext): Promise<PlanOutcome>;
  combine(plan: CombinePlan, context: WorkContext): Promise<Readonly<Record<string, ScratchRaster>>>;
  writeCog(request: WriteCogRequest, context: WorkContext): Promise<WrittenRaster>;
  zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas>;
  thumbnail(request: ThumbnailRequest): Promise<void>;
  zoneThumbnail(request: ZoneThumbnailRequest): Promise<void>;
  /** Frees the scratch rasters made for this run key; safe to call twice. */
  release(rasters: readonly ScratchRaster[]): Promise<void>;
  /** Tries the engine in a small way and says what it is; throws when its workers do not start or its folder takes nothing. */
  probe?(): Promise<string>;
  close(): Promise<void>;
}
