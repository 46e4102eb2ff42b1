import type { OwnedPrefix } from '../extensions.ts';
import type { GeometryLike } from '../geometry/types.ts';
import type { ItemId } from '../ids/item-id.ts';
import type { Instant } from '../instant.ts';
import type { Json, NonEmpty } from '../json.ts';
import type { MEDIA } from '../media-types.ts';
import type { DataType, Provider } from '../types.ts';
import type { AnyRow, ColumnsFor } from './columns.ts';

/**
 * Target of a link. `href` is an absolute http(s) URL. `type` defaults to `application/json`; for the
 * members of `items` to `application/geo+json`.
 */
export interface LinkTarget {
  readonly href: string;
  /** Title of the target. */
  readonly title: string;
  readonly type?: string;
}

/** Collection of an Item, the target of its links `collection` and `parent`. */
export interface ParentCollection {
  readonly id: string;
  /** Absolute http(s) URL of the Collection. */
  readonly href: string;
  readonly title: string;
}

/** Size and checksum of a file. Omit `file` if a service generates the bytes. */
export interface FileFacts {
  readonly bytes: number;
  /** SHA-256 in hex (64 digits); becomes a multihash. */
  readonly sha256: string;
}

/** A file, or a request to a service. Media type and roles depend on the asset's key. */
export interface AssetInput {
  /** Absolute http(s) URL; GET returns the asset. */
  readonly href: string;
  readonly title: string;
  readonly description?: string;
  readonly file?: FileFacts;
}

/** A file under a key of the caller's choice. */
export interface ExtraAssetInput extends AssetInput {
  readonly type: string;
  readonly roles: NonEmpty<string>;
  /** Content of another raster on the layer's grid; only for raster Items. */
  readonly content?: RasterContent;
}

/** A preview. If its colours mean classes, `legend` contains the classes. */
export interface PreviewInput extends AssetInput {
  readonly legend?: NonEmpty<ClassInput>;
}

/** Assets that any layer may have next to `data`. */
export interface CommonAssets {
  /** Desktop GIS style (QML). */
  readonly style?: AssetInput;
  /** Styled Layer Descriptor. */
  readonly sld?: AssetInput;
  readonly thumbnail?: PreviewInput;
  /** Further assets by key (`quality`, `report`). Reserved keys are refused. */
  readonly others?: Readonly<Record<string, ExtraAssetInput>>;
}

/** Processing of the layer (processing extension v1.2). */
export interface ProcessingInput {
  /** Description of the processing; markdown allowed. */
  readonly lineage: string;
  /** Versions by program name. */
  readonly software: Readonly<Record<string, string>>;
  /** Version of the method. */
  readonly version?: string;
  readonly datetime?: Instant;
  readonly expression?: { readonly format: string; readonly expression: Json };
}

/** Properties with the caller's own prefix (`headwater:synthetic`). Prefixes of extensions are refused. */
export type OwnFields = Readonly<Record<`${string}:${string}`, Json>> & {
  readonly [field: `${OwnedPrefix}:${string}`]: never;
};

/** Input of every Item. The bbox is computed from the geometry. */
export interface ItemInput {
  readonly bbox?: never;
  /** Result of `itemId`. */
  readonly id: ItemId;
  /** Area of the data in degrees (EPSG:4326). The builder closes and orients the rings (RFC 7946). */
  readonly geometry: GeometryLike;
  readonly title: string;
  /** Method, data source and classes; markdown allowed. */
  readonly description: string;
  /** First moment of the data. */
  readonly start: Instant;
  /** Last moment of the data; not before `start`. */
  readonly end: Instant;
  /** Time of computation or publication; becomes `datetime`. */
  readonly published: Instant;
  readonly created?: Instant;
  readonly updated?: Instant;
  readonly keywords: NonEmpty<string>;
  readonly processing: ProcessingInput;
  /** Version of the output (version extension). */
  readonly version?: string;
  /** SPDX identifier. */
  readonly license?: string;
  readonly providers?: readonly Provider[];
  /** Credit line in the wording of the sources. */
  readonly attribution?: string;
  readonly root: LinkTarget;
  readonly collection: ParentCollection;
  readonly self?: string;
  /** Sources of the computation. */
  readonly derivedFrom?: readonly LinkTarget[];
  /** Descriptions of the sources. */
  readonly via?: readonly LinkTarget[];
  /** Properties with the caller's own prefix. */
  readonly extra?: OwnFields;
}

/**
 * Grid of a raster. `transform` is `[pixelWidth, 0, west, 0, -pixelHeight, north]` in CRS units; GDAL's order differs.
 */
export interface RasterGrid {
  /** Authority and code, such as `EPSG:4326`. */
  readonly code: string;
  /** [rows, columns]. */
  readonly shape: readonly [rows: number, columns: number];
  readonly transform: readonly [number, number, number, number, number, number];
  /** Ground sample distance, m. */
  readonly gsd: number;
}

/**
 * A class of a categorical raster. `color` is RRGGBB, optionally with `#`; `name` may contain letters, digits, `-`,
 * `_`.
 */
export interface ClassInput {
  readonly value: number;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly color?: string;
  readonly nodata?: boolean;
  /** Number of pixels. */
  readonly count?: number;
  /** Share of valid pixels, 0-100. */
  readonly percentage?: number;
}

/** Content of a categorical raster: one band of classes. */
export interface CategoricalContent {
  readonly classes: NonEmpty<ClassInput>;
  readonly dataType: DataType;
  readonly nodata?: number;
  readonly bands?: never;
}

/** Statistics of the pixels with data. */
export interface StatisticsInput {
  readonly minimum: number;
  readonly maximum: number;
  readonly mean?: number;
  readonly stddev?: number;
  /** Number of pixels with data. */
  readonly count?: number;
  /** Share of pixels with data, 0-100. */
  readonly validPercent?: number;
}

/** A band of measured values. */
export interface NumericBandInput {
  readonly name: string;
  readonly description?: string;
  readonly dataType: DataType;
  /** Within the data type; NaN is allowed for floats. */
  readonly nodata?: number;
  /** Unit as in UCUM or UDUNITS-2: `m`, `%`, `degree`. Omit `unit` if the values have no unit. */
  readonly unit?: string;
  readonly statistics?: StatisticsInput;
}

/** Content of a raster of measurements. */
export interface BandContent {
  readonly bands: NonEmpty<NumericBandInput>;
  readonly classes?: never;
  readonly dataType?: never;
  readonly nodata?: never;
}

/** Content of a raster: classes or measured values. */
export type RasterContent = CategoricalContent | BandContent;

/** Assets of a raster layer. */
export interface RasterAssets extends CommonAssets {
  /** WCS GetCoverage or object-store URL of the GeoTIFF. */
  readonly data: AssetInput;
  /** Cloud-optimized GeoTIFF. */
  readonly cog?: AssetInput;
}

interface RasterBase extends ItemInput {
  readonly grid: RasterGrid;
  readonly content: RasterContent;
}

/** Input of `rasterItem`, without a table. */
export interface RasterItemInput extends RasterBase {
  readonly columns?: never;
  readonly rowCount?: never;
  readonly assets: RasterAssets;
}

/** Input of `tabularRasterItem`: a raster and its table. */
export interface TabularRasterItemInput<Row extends object = AnyRow> extends RasterBase, TableInput<Row> {
  readonly assets: RasterAssets & { readonly table: TableAssetInput };
}

/** A downloadable table. */
export interface TableAssetInput extends AssetInput {
  readonly type: typeof MEDIA.csv | typeof MEDIA.parquet | typeof MEDIA.json;
}

/** The table of a layer with properties `Row`. */
export interface TableInput<Row extends object = AnyRow> {
  /** All attribute columns, and optionally the geometry column. With `Row`, pass the result of `columnsOf<Row>`. */
  readonly columns: NoInfer<ColumnsFor<Row>>;
  /** Number of features or rows. */
  readonly rowCount: number;
  /** Name of the geometry column. */
  readonly primaryGeometry?: string;
}

/** Input of `vectorItem`. */
export interface VectorItemInput<Row extends object = AnyRow> extends ItemInput, TableInput<Row> {
  readonly grid?: never;
  readonly content?: never;
  readonly assets: Omit<CommonAssets, 'others'> & {
    readonly others?: Readonly<Record<string, ExtraAssetInput & { readonly content?: never }>>;
    /** WFS GetFeature or object-store URL of the GeoJSON. */
    readonly data: AssetInput;
    readonly geojson?: AssetInput;
    readonly geoparquet?: AssetInput;
  };
}
