import { geoJsonTexts } from './geojson.ts';
import { gmlTexts } from './gml.ts';
import { type EncodedFeatures, type FeatureFormat, type FeatureResponse, textBody } from './request.ts';

export type { EncodedFeatures, FeatureFormat, FeatureResponse, FeatureSrs } from './request.ts';
export { describeFeatureType, gmlOf, type DescribedLayer } from './xsd.ts';
export { fromXmlName, namespaceOf, xmlName } from './xml-names.ts';

type Encoder = (response: FeatureResponse) => EncodedFeatures;

const ENCODERS: Readonly<Partial<Record<FeatureFormat, Encoder>>> = {
  geojson: (response) => ({ contentType: 'application/json; charset=utf-8', body: textBody(geoJsonTexts(response)) }),
  gml2: (response) => ({ contentType: 'text/xml; subtype=gml/2.1.2', body: textBody(gmlTexts('2.1.2', response)) }),
  gml31: (response) => ({ contentType: 'text/xml; subtype=gml/3.1.1', body: textBody(gmlTexts('3.1.1', response)) }),
  gml32: (response) => ({
    contentType: 'application/gml+xml; version=3.2',
    body: textBody(gmlTexts('3.2', response)),
  }),
};

/** Writes features in a format. Bodies above 64 kB are streams, so that only a piece at a time is in memory. */
export function encodeFeatures(format: FeatureFormat, response: FeatureResponse): EncodedFeatures {
  return ENCODERS[format]!(response);
}
