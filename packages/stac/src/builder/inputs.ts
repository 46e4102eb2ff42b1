import type { OwnedPrefix } from '../extensions.ts';
import type { GeometryLike } from '../geometry/types.ts';
import type { ItemId } from '../ids/item-id.ts';
import type { Instant } from '../instant.ts';
import type { Json, NonEmpty } from '../json.ts';
import type { MEDIA } from '../media-types.ts';
import type { DataType, Provider } from '../types.ts';
import type { AnyRow, ColumnsFor } from './columns.ts';

/** Target of a link. `href` is an absolute http(s) URL; `type` defaults to `application/json`. */
export interface LinkTarget {
  readonly href: string;
  /** Title of the target. */
  readonly title: string;
  readonly type?: string;
}

/**
 * The Collection that contains an Item. The links `collection` and `parent` of the Item both lead to this Collection.
 */
export interface ParentCollection {
  readonly id: string;
  /** Absolute http(s) URL of the Collection's JSON. */
  readonly href: string;
  readonly title: string;
}

/**
 * Size and checksum of the file behind an href. Leave `file` out if a service (WFS, WCS, WMS) generates the bytes on
 * request.
 */
export interface FileFacts {
  readonly bytes: number;
  /** Sha-256 of the file in hex (64 digits); becomes a multihash. */
  readonly sha256: string;
}

/** A file, or a request to a service. Media type and roles are set by the key of the asset. */
export interface AssetInput {
  /** Absolute http(s) URL; GET returns the asset. */
  readonly href: string;
  readonly title: string;
  readonly description?: string;
  readonly file?: FileFacts;
}

/** A file under a key that the caller chooses. */
export interface ExtraAssetInput extends AssetInput {
  readonly type: string;
  readonly roles: NonEmpty<string>;
  /** Content of a second raster on the layer's own grid. Only an asset of a raster Item can have this member. */
  readonly content?: RasterContent;
}

/** A preview. If its colours mean classes, `legend` contains the classes. */
export interface PreviewInput extends AssetInput {
  readonly legend?: NonEmpty<ClassInput>;
}

/** Assets that any layer may have next to `data`. */
export interface CommonAssets {
  /** Desktop GIS style (QML): `application/xml`, role `metadata`. */
  readonly style?: AssetInput;
  /** Styled Layer Descriptor, role `metadata`. */
  readonly sld?: AssetInput;
  /** PNG preview, role `thumbnail`. */
  readonly thumbnail?: PreviewInput;
  /**
   * Further assets by key (`quality`, `report`). The keys of the assets above, and other keys of the builder, are
   * refused.
   */
  readonly others?: Readonly<Record<string, ExtraAssetInput>>;
}

/** Processing steps and software of the layer (processing extension v1.2). */
export interface ProcessingInput {
  /** Description of the processing; markdown allowed. */
  readonly lineage: string;
  /** Program name -> version. */
  readonly software: Readonly<Record<string, string>>;
  /** Version of the method. */
  readonly version?: string;
  readonly datetime?: Instant;
  readonly expression?: { readonly format: string; readonly expression: Json };
}

/**
 * Properties with a prefix that the caller chooses (`headwater:synthetic`). Prefixes of extensions are refused,
 * because the builder has its own fields for them.
 */
export type OwnFields = Readonly<Record<`${string}:${string}`, Json>> & {
  readonly [field: `${OwnedPrefix}:${string}`]: never;
};

/** Input that every Item needs. The bbox is not part of the input, because it is computed from the geometry. */
export interface ItemInput {
  readonly bbox?: never;
  /** Id of the Item, as `itemId` returns it. */
  readonly id: ItemId;
  /** Extent of the layer, lon/lat degrees (EPSG:4326). Rings are closed and oriented as RFC 7946 requires. */
  readonly geometry: GeometryLike;
  readonly title: string;
  /** Method, data source, class definitions; markdown links allowed. */
  readonly description: string;
  /** First moment that the data covers. */
  readonly start: Instant;
  /** Last moment that the data covers; not before `start`. */
  readonly end: Instant;
  /** Time at which the layer was computed or published; written to the property `datetime`. */
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
  /** Credit line, in the wording that the sources prescribe. */
  readonly attribution?: string;
  /** Root catalogue. */
  readonly root: LinkTarget;
  readonly collection: ParentCollection;
  /** Absolute URL of this Item. */
  readonly self?: string;
  /** Sources that the layer was computed from. */
  readonly derivedFrom?: readonly LinkTarget[];
  /** Descriptions of the sources. */
  readonly via?: readonly LinkTarget[];
  /** Properties with a prefix that the caller chooses, see `OwnFields`. */
  readonly extra?: OwnFields;
}

/**
 * The raster's grid. `transform` is `[pixelWidth, 0, west, 0, -pixelHeight, north]` in CRS units. With its elements as
 * a to f, x = a*col + b*row + c and y = d*col + e*row + f. Version 2 of the projection extension and affine libraries
 * use this order; GDAL uses another order.
 */
export interface RasterGrid {
  /** Authority and code, `EPSG:4326`. */
  readonly code: string;
  /** [rows, columns]. */
  readonly shape: readonly [rows: number, columns: number];
  readonly transform: readonly [number, number, number, number, number, number];
  /** Ground sample distance, metres. */
  readonly gsd: number;
}

/**
 * A class of a categorical raster. `color` is RRGGBB, with or without `#`. `name` may contain only letters, digits,
 * `-` and `_`.
 */
export interface ClassInput {
  readonly value: number;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly color?: string;
  readonly nodata?: boolean;
  /** Pixels of this class. */
  readonly count?: number;
  /** Share of the valid pixels, 0-100. */
  readonly percentage?: number;
}

/** Content of a categorical raster: one band whose values each have a meaning. */
export interface CategoricalContent {
  readonly classes: NonEmpty<ClassInput>;
  readonly dataType: DataType;
  readonly nodata?: number;
  readonly bands?: never;
}

/** Statistics of the pixels of a band that have data. */
export interface StatisticsInput {
  readonly minimum: number;
  readonly maximum: number;
  readonly mean?: number;
  readonly stddev?: number;
  /** Pixels with data. */
  readonly count?: number;
  /** Pixels with data as a share of all pixels, 0-100. */
  readonly validPercent?: number;
}

/** A band of measured values. */
export interface NumericBandInput {
  readonly name: string;
  readonly description?: string;
  readonly dataType: DataType;
  /** No-data value, within the data type; NaN is allowed for floats. */
  readonly nodata?: number;
  /**
   * Unit of the values, spelled as in UCUM or UDUNITS-2: `m`, `%`, `degree`. Leave `unit` out if the values have no
   * unit.
   */
  readonly unit?: string;
  readonly statistics?: StatisticsInput;
}

/** Content of a raster of measurements: its bands. */
export interface BandContent {
  readonly bands: NonEmpty<NumericBandInput>;
  readonly classes?: never;
  readonly dataType?: never;
  readonly nodata?: never;
}

/** Meaning of the pixels: either classes or measured values. */
export type RasterContent = CategoricalContent | BandContent;

/** Assets of a raster layer. */
export interface RasterAssets extends CommonAssets {
  /** WCS GetCoverage or object-store URL of the GeoTIFF. */
  readonly data: AssetInput;
  /** The plain cloud-optimized GeoTIFF. */
  readonly cog?: AssetInput;
}

/** Input of a raster Item, with or without a table. */
interface RasterBase extends ItemInput {
  readonly grid: RasterGrid;
  readonly content: RasterContent;
}

/** Input of `rasterItem`; table columns are not allowed. */
export interface RasterItemInput extends RasterBase {
  readonly columns?: never;
  readonly rowCount?: never;
  readonly assets: RasterAssets;
}

/** Input of `tabularRasterItem`: a raster and the table of its values. */
export interface TabularRasterItemInput<Row extends object = AnyRow> extends RasterBase, TableInput<Row> {
  readonly assets: RasterAssets & { readonly table: TableAssetInput };
}

/** A table that clients can download. */
export interface TableAssetInput extends AssetInput {
  readonly type: typeof MEDIA.csv | typeof MEDIA.parquet | typeof MEDIA.json;
}

/** The table of a layer whose features have properties `Row`. */
export interface TableInput<Row extends object = AnyRow> {
  /** All attribute columns, and optionally the geometry column. If `Row` is set, use the result of `columnsOf<Row>`. */
  readonly columns: NoInfer<ColumnsFor<Row>>;
  /** Number of features or rows. */
  readonly rowCount: number;
  /** Name of the geometry column, if it is among the columns. */
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
    /** The plain GeoJSON file. */
    readonly geojson?: AssetInput;
    /** The plain GeoParquet file. */
    readonly geoparquet?: AssetInput;
  };
}
