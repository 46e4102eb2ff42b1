export { createEmbeddedMapServer, embeddedCapabilities } from './embedded.ts';
export { createGeoServer, type GeoServerParts, probeGeoServer } from './geoserver/driver.ts';
export type { GeoServerSettings } from './geoserver/rest-client.ts';
