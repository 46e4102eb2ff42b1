const STAC = 'https://api.stacspec.org';
const FEATURES = 'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf';
const FILTER = 'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf';
const CQL2 = 'http://www.opengis.net/spec/cql2/1.0/conf';

/** Conformance classes of the STAC API. A test checks each of them. */
export const CONFORMANCE: readonly string[] = [
  `${STAC}/v1.0.0/core`,
  `${STAC}/v1.0.0/collections`,
  `${STAC}/v1.0.0/ogcapi-features`,
  `${STAC}/v1.0.0/item-search`,
  `${FEATURES}/core`,
  // Included although this API has OpenAPI 3.1, because older versions of QGIS recognize an API only by this class.
  `${FEATURES}/oas30`,
  `${FEATURES}/geojson`,
  `${STAC}/v1.0.0/item-search#fields`,
  `${STAC}/v1.0.0/ogcapi-features#fields`,
  // Also version 1.0, because pystac-client knows only this version.
  `${STAC}/v1.0.0/item-search#sort`,
  `${STAC}/v1.1.0/item-search#sort`,
  `${STAC}/v1.0.0/ogcapi-features#sort`,
  `${STAC}/v1.1.0/ogcapi-features#sort`,
  `${STAC}/v1.0.0/item-search#query`,
  `${STAC}/v1.0.0/ogcapi-features#query`,
  `${STAC}/v1.0.0/item-search#filter`,
  `${FILTER}/filter`,
  `${FILTER}/features-filter`,
  `${CQL2}/cql2-text`,
  `${CQL2}/cql2-json`,
  `${CQL2}/basic-cql2`,
  `${CQL2}/advanced-comparison-operators`,
  `${CQL2}/property-property`,
  `${CQL2}/basic-spatial-functions`,
  `${CQL2}/basic-spatial-functions-plus`,
  `${CQL2}/temporal-functions`,
  `${STAC}/v1.0.0-rc.2/children`,
  `${STAC}/v1.0.0-rc.3/browseable`,
  `${STAC}/v1.0.0-rc.1/collection-search`,
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/simple-query',
];
