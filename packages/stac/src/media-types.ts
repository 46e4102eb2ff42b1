/** Media types of links and assets, spelled as in the interface specification. */
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
