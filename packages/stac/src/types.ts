import type { EXTENSIONS } from './extensions.ts';
import type { Bbox, Geometry } from './geometry/types.ts';
import type { Instant } from './instant.ts';
import type { ItemId } from './ids/item-id.ts';
import type { MEDIA } from './media-types.ts';

/** The STAC version that this package writes. */
export const STAC_VERSION = '1.1.0';

/** A link with address, media type and title of the target. */
export type Link<Rel extends string = string> = {
  readonly rel: Rel;
  readonly href: string;
  readonly type: string;
  readonly title: string;
} & {
  readonly [field: `${string}:${string}`]: unknown;
};

/** Links of an Item: the three required links, then others. */
export type ItemLinks = [root: Link<'root'>, collection: Link<'collection'>, parent: Link<'parent'>, ...others: Link[]];

/** An organisation and its role for the data. */
export type Provider = {
  readonly name: string;
  readonly description?: string;
  readonly roles?: readonly ('producer' | 'licensor' | 'processor' | 'host')[];
  readonly url?: string;
};

/** Type of stored values (STAC 1.1 common metadata). */
export type DataType =
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float16'
  | 'float32'
  | 'float64'
  | 'other';

/** A class (classification v2). `name` has no blanks, `color_hint` is RRGGBB, `percentage` is 0-100. */
export type ClassObject = {
  readonly value: number;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly color_hint?: string;
  readonly nodata?: boolean;
  readonly count?: number;
  readonly percentage?: number;
};

/** Statistics of a band's values. */
export type Statistics = {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly mean?: number;
  readonly stddev?: number;
  readonly count?: number;
  readonly valid_percent?: number;
};

/** A band of a raster (STAC 1.1 with classification and raster fields). */
export type Band = {
  readonly name: string;
  readonly description?: string;
  readonly data_type?: DataType;
  readonly nodata?: number | 'nan' | 'inf' | '-inf';
  readonly unit?: string;
  readonly statistics?: Statistics;
  readonly 'classification:classes'?: ClassObject[];
};

/** A column of the table of a vector layer, or of a raster with a table. */
export type Column = { readonly name: string; readonly type: string; readonly description: string };

/** A file of an Item. `file:checksum` is a multihash, `file:size` is in bytes. */
export type Asset<Type extends string = string> = {
  readonly href: string;
  readonly type: Type;
  readonly title: string;
  readonly roles: [string, ...string[]];
  readonly description?: string;
  readonly data_type?: DataType;
  readonly nodata?: number | 'nan' | 'inf' | '-inf';
  readonly bands?: Band[];
  readonly 'file:size'?: number;
  readonly 'file:checksum'?: string;
  readonly 'classification:classes'?: ClassObject[];
  readonly 'raster:sampling'?: 'area' | 'point';
  readonly 'raster:spatial_resolution'?: number;
};

/** Description of the assets under one key in the Items of a Collection. */
export type ItemAsset = {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly roles: string[];
};

/** Optional assets next to `data`. */
export type SideAssets = {
  readonly style?: Asset<typeof MEDIA.xml>;
  readonly thumbnail?: Asset<typeof MEDIA.png>;
} & Readonly<Record<string, Asset>>;

/** Assets of an Item. `data` is required and has the media type `Data`. */
export type Assets<Data extends string = string> = { readonly data: Asset<Data> } & SideAssets;

/**
 * Properties of every Item. `datetime` is the time of computation or publication; `start_datetime` and `end_datetime`
 * are the period of the data.
 */
export type ItemProperties = {
  readonly title: string;
  readonly description: string;
  readonly start_datetime: Instant;
  readonly end_datetime: Instant;
  readonly datetime: Instant;
  readonly created?: Instant;
  readonly updated?: Instant;
  readonly keywords: string[];
  readonly license?: string;
  readonly providers?: Provider[];
  readonly version?: string;
  readonly attribution?: string;
  readonly 'processing:lineage': string;
  readonly 'processing:software': Readonly<Record<string, string>>;
  readonly 'processing:version'?: string;
  readonly 'processing:datetime'?: Instant;
  readonly 'processing:expression'?: { readonly format: string; readonly expression: unknown };
} & { readonly [field: `${string}:${string}`]: unknown };

/** Grid of a raster. `gsd` is in m, `proj:shape` is [rows, columns], `proj:transform` is as in `RasterGrid`. */
export type GridProperties = {
  readonly gsd: number;
  readonly 'proj:code': string;
  readonly 'proj:shape': [rows: number, columns: number];
  readonly 'proj:transform': [number, number, number, number, number, number];
};

/** The table of a layer. */
export type TableProperties = {
  readonly 'table:columns': [Column, ...Column[]];
  readonly 'table:row_count': number;
  readonly 'table:primary_geometry'?: string;
};

/** Properties of a raster Item: a grid and no table. */
export type RasterProperties = ItemProperties & GridProperties & { [K in keyof TableProperties]?: never };
/** Properties of a vector Item. */
export type VectorProperties = ItemProperties & TableProperties;
/** Properties of a raster with a table of its values. */
export type TabularRasterProperties = ItemProperties & GridProperties & TableProperties;

/** An Item with properties `P`. `E`: first extension; `D`: media type of the data. */
export type ItemOf<P extends ItemProperties, E extends string = string, D extends string = string> = {
  readonly type: 'Feature';
  readonly stac_version: typeof STAC_VERSION;
  readonly stac_extensions: [E, ...string[]];
  readonly id: ItemId;
  readonly geometry: Geometry;
  readonly bbox: Bbox;
  readonly properties: P;
  readonly links: ItemLinks;
  readonly assets: Assets<D>;
  readonly collection: string;
};

/** Item of a raster layer. */
export type RasterItem = ItemOf<RasterProperties, typeof EXTENSIONS.projection, typeof MEDIA.geotiff>;
/** Item of a vector layer. */
export type VectorItem = ItemOf<VectorProperties, typeof EXTENSIONS.table, typeof MEDIA.geojson>;
/** Item of a raster layer with a table, such as one row per class. */
export type TabularRasterItem = ItemOf<TabularRasterProperties, typeof EXTENSIONS.table, typeof MEDIA.geotiff>;
/** Any Item that this package builds. */
export type Item = RasterItem | VectorItem | TabularRasterItem;

/** An interval of a Collection; null is an open end. */
export type Interval = [start: Instant | null, end: Instant | null];

/** Extent of a Collection. `spatial` has one box, or an overall box before the boxes of several parts. */
export type Extent = {
  readonly spatial: { readonly bbox: [Bbox] | [overall: Bbox, Bbox, Bbox, ...Bbox[]] };
  readonly temporal: { readonly interval: [Interval, ...Interval[]] };
};

/** Summary of a property: values, a range or a JSON Schema. */
export type Summary =
  | readonly [unknown, ...unknown[]]
  | { readonly minimum: number; readonly maximum: number }
  | { readonly [keyword: string]: unknown; readonly length?: never };

/** A node of the tree without an extent. */
export type Catalog = {
  readonly type: 'Catalog';
  readonly stac_version: typeof STAC_VERSION;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly links: [root: Link<'root'>, self: Link<'self'>, ...others: Link[]];
  readonly conformsTo?: string[];
};

/** A node of the tree with extent, licence and providers. */
export type Collection = {
  readonly type: 'Collection';
  readonly stac_version: typeof STAC_VERSION;
  readonly stac_extensions: string[];
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly keywords: [string, ...string[]];
  readonly license: string;
  readonly providers?: [Provider, ...Provider[]];
  readonly extent: Extent;
  readonly links: [root: Link<'root'>, self: Link<'self'>, parent: Link<'parent'>, ...others: Link[]];
  readonly summaries?: Record<string, Summary>;
  readonly item_assets?: Record<string, ItemAsset>;
};
