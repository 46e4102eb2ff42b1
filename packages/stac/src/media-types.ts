/** Media types of links and assets in the spelling of the interface specification. */
export const MEDIA = {
  json: 'application/json',
  geojson: 'application/geo+json',
  geotiff: 'image/tiff; application=geotiff',
  cog: 'image/tiff; application=geotiff; profile=cloud-optimized',
  /** Desktop GIS style (QML). */
  xml: 'application/xml',
  sld: 'application/vnd.ogc.sld+xml',
  png: 'image/png',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  html: 'text/html',
} as const;

const text = (type: string): string => `${type}; charset=utf-8`;

const FILE_TYPES: Readonly<Record<string, string>> = {
  tif: MEDIA.cog,
  geojson: text(MEDIA.geojson),
  json: text(MEDIA.json),
  png: MEDIA.png,
  qml: text(MEDIA.xml),
  sld: text(MEDIA.sld),
  csv: text(MEDIA.csv),
};
const OTHER_TYPE = 'application/octet-stream';

/** Media type of a published file, by extension; texts are UTF-8. */
export const mediaTypeOfFile = (name: string): string =>
  FILE_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? OTHER_TYPE;

/** All results of `mediaTypeOfFile`. */
export const FILE_MEDIA_TYPES: readonly string[] = [...new Set(Object.values(FILE_TYPES)), OTHER_TYPE];

/** Ranges of the integer types whose values a JSON number expresses exactly. */
const INTEGER_RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32_768, 32_767],
  uint16: [0, 65_535],
  int32: [-2_147_483_648, 2_147_483_647],
  uint32: [0, 4_294_967_295],
};

/** False for a value that the integer type cannot hold; true for types without a range in `INTEGER_RANGES`. */
export function mayHold(dataType: string, value: number): boolean {
  const range = Object.hasOwn(INTEGER_RANGES, dataType) ? INTEGER_RANGES[dataType] : undefined;
  return range === undefined || (Number.isInteger(value) && value >= range[0] && value <= range[1]);
}
