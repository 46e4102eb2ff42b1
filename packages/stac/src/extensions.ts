/** Schema URLs of the checked STAC extensions. */
export const EXTENSIONS = {
  table: 'https://stac-extensions.github.io/table/v1.2.0/schema.json',
  projection: 'https://stac-extensions.github.io/projection/v2.0.0/schema.json',
  raster: 'https://stac-extensions.github.io/raster/v2.0.0/schema.json',
  classification: 'https://stac-extensions.github.io/classification/v2.0.0/schema.json',
  file: 'https://stac-extensions.github.io/file/v2.1.0/schema.json',
  processing: 'https://stac-extensions.github.io/processing/v1.2.0/schema.json',
  alternate: 'https://stac-extensions.github.io/alternate-assets/v1.2.0/schema.json',
  version: 'https://stac-extensions.github.io/version/v1.2.0/schema.json',
  webMapLinks: 'https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json',
} as const;

/** Short name of a supported extension. */
export type ExtensionName = keyof typeof EXTENSIONS;

const OWNERS = {
  table: 'table',
  proj: 'projection',
  raster: 'raster',
  classification: 'classification',
  file: 'file',
  processing: 'processing',
  alternate: 'alternate',
  wms: 'webMapLinks',
} as const satisfies Readonly<Record<string, ExtensionName>>;

/** Field prefix of an extension. */
export type OwnedPrefix = keyof typeof OWNERS;

/**
 * Extensions by field prefix. A `Map`, because the key `constructor` would find an inherited member in a plain object.
 */
export const PREFIX_OWNER: ReadonlyMap<string, ExtensionName> = new Map(Object.entries(OWNERS));

/** True for the table extension in any version. */
export function isTableExtension(url: unknown): boolean {
  return (
    typeof url === 'string' && /^https:\/\/stac-extensions\.github\.io\/table\/v\d+\.\d+\.\d+\/schema\.json$/.test(url)
  );
}
