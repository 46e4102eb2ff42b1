import type { PixelGrid } from './pixel-plan.ts';
import type { Rgba } from './pixels.ts';
import type { AssetFile } from './assets.ts';

/** A column of a vector layer. */
export interface MapColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
}

/** A published layer, described for a map server. */
export interface MapLayer {
  readonly workspace: string;
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly kind: 'vector' | 'raster';
  /** Text that changes with every publication of the layer, for ETags. */
  readonly version: string;
  /** True if the layer was found by the run that published it (`runId` of `find`), so that it never changes. */
  readonly isLasting: boolean;
  /** Extent, degrees. West > east crosses the antimeridian. */
  readonly box: readonly [west: number, south: number, east: number, north: number] | null;
  /** Interval of the Item, ISO 8601 UTC. */
  readonly interval: { readonly start: string; readonly end: string } | null;
  /** `AssetStore` key of the GeoJSON or the COG. */
  readonly assetKey: string;
  /** Keys of the default style as SLD and as QML, if the Item has such assets. */
  readonly sldKey: string | null;
  readonly qmlKey: string | null;
  /** Columns of the Item's `table:columns`, in order; empty for rasters. */
  readonly columns: readonly MapColumn[];
  readonly geometryName: string;
  /** Public address of the Item; null if the Item is missing. */
  readonly itemHref: string | null;
}

/** Published layers, as a map server lists and finds them. */
export interface MapLayers {
  /**
   * Returns the names of the workspaces that exist from the first start, and of all workspaces with layers, ascending.
   */
  workspaces(): Promise<readonly string[]>;
  /** Yields the newest version of all layers, or of one workspace's layers, sorted by workspace and name. */
  list(workspace?: string): AsyncIterable<MapLayer>;
  /** Returns the newest version of a layer, or, with `runId`, the version that this run published. */
  find(workspace: string, name: string, runId?: string): Promise<MapLayer | undefined>;
  /** Returns a text that changes when any layer is published or unpublished. */
  version(): Promise<string>;
}

/** Type of the samples of a map raster. */
export type MapSampleType = 'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'float32' | 'float64';
export type MapSamples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Target grid of a map, in degrees (EPSG:4326) or metres (EPSG:3857, UTM), from north to south. */
export interface MapGrid extends Omit<PixelGrid, 'crs'> {
  readonly crs: 'EPSG:4326' | 'EPSG:3857' | `EPSG:32${string}`;
}

/** Part of a raster in its own grid, and the size to which it is resampled (nearest). */
export interface RasterCut {
  readonly col: number;
  readonly row: number;
  readonly cols: number;
  readonly rows: number;
  /** Size of the result, pixels; default: `cols` x `rows`. */
  readonly width?: number;
  readonly height?: number;
}

/** An open COG from which maps are drawn. Concurrent reads are allowed. */
export interface MapRaster {
  readonly grid: PixelGrid;
  readonly type: MapSampleType;
  /** Sample that means no data; null if every sample has a meaning. */
  readonly nodata: number | null;
  /** Values = samples x scale + offset; null if the samples are the values. */
  readonly scaling: { readonly scale: number; readonly offset: number } | null;
  /** Description of each band in the file, in order. Maps show the first band. */
  readonly bands: readonly (string | null)[];
  /** Colour of each sample 0-255 in the colour table of the file. */
  readonly colors: readonly Rgba[] | null;
  /**
   * Returns samples on a target grid, row-major, nearest neighbour. Pixels outside of the raster are `nodata`, or 0
   * without `nodata`.
   */
  samples(grid: MapGrid): Promise<MapSamples>;
  /** Returns a part of the raster as a GeoTIFF (tiled, compressed), with the file's nodata and colours. */
  geoTiff(cut: RasterCut): Promise<Uint8Array>;
}

/** A picture, row-major: indices into a palette of at most 256 colours, or RGBA bytes. */
export interface MapPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Colours for the indices in `pixels`; null if `pixels` contains RGBA bytes. */
  readonly palette: readonly Rgba[] | null;
}

/** A COG that is read in parts. */
export interface RemoteRaster {
  /** Name of the raster in messages. */
  readonly name: string;
  readonly file: AssetFile;
}

/** Opens published rasters for a map server, with bounded memory. */
export interface MapPixels {
  /** Opens a COG on this machine (absolute path) or elsewhere. Throws `input_data` for an unreadable file. */
  open(file: string | RemoteRaster): Promise<MapRaster>;
  png(picture: MapPicture): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A style for all layers of a workspace, such as the colours of land cover. */
export interface MapStyle {
  readonly workspace: string;
  readonly name: string;
  /** The style as SLD 1.0. */
  readonly sld: string;
}

/** Parts of the service that a map server uses. */
export interface MapServerParts {
  readonly layers: MapLayers;
  /** Styles that exist from the first start. */
  readonly commonStyles?: readonly MapStyle[];
  /** Opens a published file by its key; undefined if it does not exist. */
  readonly openFile: (key: string) => Promise<AssetFile | undefined>;
  /** Absolute path of a published file; undefined if the file is not on this machine. */
  readonly localPath: (key: string) => Promise<string | undefined>;
  /** Pixel access; undefined: rasters are served only as whole files. */
  readonly pixels: MapPixels | undefined;
  /** Public address of the map server, without trailing slash, such as `https://example.org/geoserver`. */
  readonly url: string;
  /** Public address of the OpenAPI document of the service. */
  readonly openApiUrl?: string;
  /** Title and provider of the service, as in its Collections. */
  readonly title: string;
  readonly provider: string | null;
}

/** A request to the map server. */
export interface MapRequest {
  readonly method: 'GET' | 'HEAD';
  /** Decoded segments of the path below the map server: `['mws', 'ows']`, `['wms']`, `['ogc', 'features', 'v1', …]`. */
  readonly segments: readonly string[];
  /** Parameters of the query with lower-case names; values of a repeated `subset` are joined by commas. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers of the request with lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly signal: AbortSignal;
}

/** A response of the map server. */
export interface MapReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  /** Strong ETag without quotes for conditional requests; absent: not cached. */
  readonly etag?: string;
  /** If true, the bytes at this address never change. */
  readonly isLasting?: boolean;
}

/** Protocols and functions that a map server supports. */
export interface MapServerCapabilities {
  readonly wfs: readonly string[];
  readonly wcs: readonly string[];
  readonly wms: readonly string[];
  readonly features: boolean;
  readonly tiles: boolean;
  readonly cqlFilter: boolean;
  readonly styles: readonly ('sld' | 'qml')[];
}

/** Difference between the published layers and the layers that the map server serves. */
export interface MapServerDrift {
  readonly workspace: string;
  /** Name of the layer; null if the difference is in the workspace itself or in its style `style`. */
  readonly layer: string | null;
  readonly style?: string;
  readonly problem: 'missing' | 'outdated' | 'unknown' | 'style';
  readonly message: string;
}

/** Layers to compare: all layers of one workspace, or one layer of the workspace. */
export interface MapServerScope {
  readonly workspace: string;
  readonly layer?: string | undefined;
}

/** A map server: embedded in this process, or a GeoServer. */
export interface MapServer {
  readonly kind: 'embedded' | 'geoserver';
  readonly capabilities: MapServerCapabilities;
  /** Returns the response to a read request. An invalid request gets a status 4xx in the format of the protocol. */
  answer(request: MapRequest): Promise<MapReply>;
  /**
   * Makes the newest version of a layer available; safe to repeat. Throws `unavailable` if the server does not respond.
   */
  publish(workspace: string, name: string): Promise<void>;
  /** Removes a layer; safe to repeat. */
  unpublish(workspace: string, name: string): Promise<void>;
  /**
   * Yields the differences between published and served layers; with `of`, only the differences of these layers. If
   * the signal aborts, throws its reason.
   */
  check(of?: MapServerScope, signal?: AbortSignal): AsyncIterable<MapServerDrift>;
  /** Returns the names of the server's layers in a workspace, ascending; undefined for an unknown workspace. */
  layersIn(workspace: string): Promise<readonly string[] | undefined>;
  /** Creates a workspace; false if it exists. Throws `validation` for a name that the server does not accept. */
  createWorkspace(name: string): Promise<boolean>;
  /** Repairs the layer, workspace or style for which `check` found a difference. */
  repair(drift: Pick<MapServerDrift, 'workspace' | 'layer' | 'style'>): Promise<void>;
  /** Returns name and version of the server; throws if it does not respond. */
  probe(): Promise<string>;
  close(): Promise<void>;
}
