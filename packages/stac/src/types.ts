import type { EXTENSIONS } from './extensions.ts';
import type { Bbox, Geometry } from './geometry/types.ts';
import type { Instant } from './instant.ts';
import type { ItemId } from './ids/item-id.ts';

/** The STAC version that this package writes. */
export const STAC_VERSION = '1.1.0';

/** A link: `rel`, where it leads, what is there, and the target's title. */
export type Link<Rel extends string = string> = { rel: Rel; href: string; type: string; title: string } & {
  [field: `${string}:${string}`]: unknown;
};

/** Links of an Item: the three that it must have, then others. */
export type ItemLinks = [root: Link<'root'>, collection: Link<'collection'>, parent: Link<'parent'>, ...others: Link[]];

/** An organisation and its part in the data. */
export type Provider = {
  name: string;
  description?: string;
  roles?: readonly ('producer' | 'licensor' | 'processor' | 'host')[];
  url?: string;
};

/** Type of the stored values (STAC 1.1 common metadata). */
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

/** A class of a categorical raster (classification v2). `name` has no blanks; `color_hint` is RRGGBB; `percentage` is 0-100. */
export type ClassObject = {
  value: number;
  name: string;
  title?: string;
  description: string;
  color_hint?: string;
  nodata?: boolean;
  count?: number;
  percentage?: number;
};

/** Statistics of a band's values. */
export type Statistics = {
  minimum?: number;
  maximum?: number;
  mean?: number;
  stddev?: number;
  count?: number;
  valid_percent?: number;
};

/** One band of a raster (STAC 1.1 common metadata with classification and raster fields). */
export type Band = {
  name: string;
  description?: string;
  data_type?: DataType;
  nodata?: number | 'nan' | 'inf' | '-inf';
  unit?: string;
  statistics?: Statistics;
  'classification:classes'?: ClassObject[];
};

/** One column of a vector layer's table. */
export type Column = { name: string; type: string; description: string };

/** A file that belongs to an Item. `file:checksum` is a multihash, `file:size` is in bytes. */
export type Asset = {
  href: string;
  type: string;
  title: string;
  roles: string[];
  description?: string;
  data_type?: DataType;
  nodata?: number | 'nan' | 'inf' | '-inf';
  bands?: Band[];
  'file:size'?: number;
  'file:checksum'?: string;
  'classification:classes'?: ClassObject[];
  'raster:sampling'?: 'area' | 'point';
  'raster:spatial_resolution'?: number;
};

/** What is known of an asset of every member: no href, and only fields that all have alike. */
export type ItemAsset = { type?: string; title?: string; description?: string; roles: string[] };

/** Assets of an Item: `data` always, `style` and `thumbnail` when producible, others by name. */
export type Assets = { data: Asset; style?: Asset; thumbnail?: Asset } & Record<string, Asset>;

/** Properties that every Item has. `datetime` is when it was made or published; coverage is start to end. */
export type ItemProperties = {
  title: string;
  description: string;
  start_datetime: Instant;
  end_datetime: Instant;
  datetime: Instant;
  created?: Instant;
  updated?: Instant;
  keywords: string[];
  license?: string;
  providers?: Provider[];
  version?: string;
  attribution?: string;
  'processing:lineage': string;
  'processing:software': Record<string, string>;
  'processing:version'?: string;
  'processing:datetime'?: Instant;
  'processing:expression'?: { format: string; expression: unknown };
} & { [field: `${string}:${string}`]: unknown };

/** The grid of a raster. `gsd` in metres; `proj:shape` is [rows, columns]; `proj:transform` as in `RasterGrid`. */
export type GridProperties = {
  gsd: number;
  'proj:code': string;
  'proj:shape': [rows: number, columns: number];
  'proj:transform': [number, number, number, number, number, number];
};

/** The table of a layer. */
export type TableProperties = {
  'table:columns': [Column, ...Column[]];
  'table:row_count': number;
  'table:primary_geometry'?: string;
};

/** Properties of a raster Item: a grid and no table. */
export type RasterProperties = ItemProperties & GridProperties & { [K in keyof TableProperties]?: never };
/** Properties of a vector Item. */
export type VectorProperties = ItemProperties & TableProperties;
/** Properties of a raster whose values have a table. */
export type TabularRasterProperties = ItemProperties & GridProperties & TableProperties;

/** An Item with properties `P`: a GeoJSON Feature of the layer's extent, with extensions of which `E` is the first. */
export type ItemOf<P extends ItemProperties, E extends string = string> = {
  type: 'Feature';
  stac_version: typeof STAC_VERSION;
  stac_extensions: [E, ...string[]];
  id: ItemId;
  geometry: Geometry;
  bbox: Bbox;
  properties: P;
  links: ItemLinks;
  assets: Assets;
  collection: string;
};

/** Item of a raster layer. */
export type RasterItem = ItemOf<RasterProperties, typeof EXTENSIONS.projection>;
/** Item of a vector layer. */
export type VectorItem = ItemOf<VectorProperties, typeof EXTENSIONS.table>;
/** Item of a raster layer whose values have a table, such as one row for each class. */
export type TabularRasterItem = ItemOf<TabularRasterProperties, typeof EXTENSIONS.table>;
/** Any Item that this package builds. */
export type Item = RasterItem | VectorItem | TabularRasterItem;

/** An interval of a Collection; null where an end is open. */
export type Interval = [start: Instant | null, end: Instant | null];

/** Spatial and temporal extent of a Collection: one box and interval, or an overall one before two and more that make it up. */
export type Extent = {
  spatial: { bbox: [Bbox] | [overall: Bbox, Bbox, Bbox, ...Bbox[]] };
  temporal: { interval: [Interval, ...Interval[]] };
};

/** What is said of a property of the members: its values, its range, or a JSON Schema that they conform to. */
export type Summary =
  | readonly [unknown, ...unknown[]]
  | { readonly minimum: number; readonly maximum: number }
  | { readonly [keyword: string]: unknown; readonly length?: never };

/** A node of the tree without extent of its own. */
export type Catalog = {
  type: 'Catalog';
  stac_version: typeof STAC_VERSION;
  id: string;
  title: string;
  description: string;
  links: [root: Link<'root'>, self: Link<'self'>, ...others: Link[]];
  conformsTo?: string[];
};

/** A node of the tree with extent, licence and providers. */
export type Collection = {
  type: 'Collection';
  stac_version: typeof STAC_VERSION;
  stac_extensions: string[];
  id: string;
  title: string;
  description: string;
  keywords: [string, ...string[]];
  license: string;
  providers: [Provider, ...Provider[]];
  extent: Extent;
  links: [root: Link<'root'>, self: Link<'self'>, parent: Link<'parent'>, ...others: Link[]];
  summaries?: Record<string, Summary>;
  item_assets?: Record<string, ItemAsset>;
};
