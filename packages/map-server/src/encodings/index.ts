import { csvTexts } from './csv.ts';
import { geoJsonTexts } from './geojson.ts';
import { gmlTexts } from './gml.ts';
import { type EncodedFeatures, type FeatureFormat, type FeatureResponse, streamOf, textBody } from './request.ts';
import { shapefilePieces, zipName } from './shapefile.ts';

export type { EncodedFeatures, FeatureFormat, FeatureResponse, FeatureSrs } from './request.ts';
export { describeFeatureType, gmlOf, type DescribedLayer } from './xsd.ts';
export { fromPrefixedName, fromXmlName, namespaceOf, xmlName } from './xml-names.ts';

type Encoder = (response: FeatureResponse) => EncodedFeatures;

const ENCODERS: Readonly<Record<FeatureFormat, Encoder>> = {
  geojson: (response) => ({
    contentType: 'application/geo+json; charset=utf-8',
    body: textBody(geoJsonTexts(response)),
  }),
  gml2: (response) => ({ contentType: 'text/xml; subtype=gml/2.1.2', body: textBody(gmlTexts('2.1.2', response)) }),
  gml31: (response) => ({ contentType: 'text/xml; subtype=gml/3.1.1', body: textBody(gmlTexts('3.1.1', response)) }),
  gml32: (response) => ({
    contentType: 'application/gml+xml; version=3.2',
    body: textBody(gmlTexts('3.2', response)),
  }),
  csv: (response) => ({
    contentType: 'text/csv; charset=utf-8',
    body: textBody(csvTexts(response)),
    fileName: zipName(response.layer).replace(/zip$/, 'csv'),
  }),
  shapefile: (response) => ({
    contentType: 'application/zip',
    body: streamOf(shapefilePieces(response)),
    fileName: zipName(response.layer),
  }),
};

/**
 * Writes features in a format. The body is a stream for a Shapefile, and for texts above 65,536 characters. Throws
 * `validation` if a Shapefile cannot hold the features.
 */
export function encodeFeatures(format: FeatureFormat, response: FeatureResponse): EncodedFeatures {
  return ENCODERS[format](response);
}
