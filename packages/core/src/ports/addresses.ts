/**
 * Public addresses that Items and layer records carry. The host that serves them builds them, so no pipeline needs a path or a host name.
 * They may begin with a placeholder for the service's own address, which is replaced when an Item is served.
 */
export interface Addresses {
  /** Root of the STAC catalogue. */
  catalog(): string;
  /** A Collection; `path` is its slugs joined by '/', e.g. `assam/cachar/lakhipur` (one or two levels too). */
  collection(path: string): string;
  /** An Item of the Collection at `path`. */
  item(path: string, id: string): string;
  /** A published file by its `AssetStore` key, `{runId}/{token}/{name}`. */
  file(key: string): string;
  /** All features of a vector layer as GeoJSON. */
  features(workspace: string, layer: string): string;
  /** The newest rows of a table of the Collection at `path`. */
  table(path: string, name: string, form: 'json' | 'csv'): string;
  /** A whole raster layer as GeoTIFF. */
  coverage(workspace: string, layer: string): string;
}
