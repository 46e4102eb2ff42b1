import { readXml, type XmlElement } from '../protocol/read-xml.ts';

/** Longest style that is uploaded, characters. */
const LONGEST = 2 ** 20;
/**
 * Elements that make a GeoServer read an address, evaluate a function, or run a process. Styles may come with imported layers, and the GeoServer would do
 * this with its own rights.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'ExternalGraphic',
  'Function',
  'InlineContent',
  'InlineFeature',
  'OnlineResource',
  'RemoteOWS',
  'Transformation',
]);

/**
 * True for a style that may be uploaded: XML without a document type and without the refused elements, whose properties are columns of the layer. A
 * GeoServer evaluates other names of properties as paths.
 */
export function isSafeStyle(sld: string, columns: ReadonlySet<string>): boolean {
  if (sld.length > LONGEST) return false;
  const isSafe = ({ name, text, children }: XmlElement): boolean => {
    if (REFUSED.has(name) || (name === 'PropertyName' && !columns.has(text))) return false;
    // Names of marks may be addresses of files, or contain expressions.
    return (name !== 'WellKnownName' || /^[a-z]+$/i.test(text)) && children.every(isSafe);
  };
  try {
    return isSafe(readXml(sld));
  } catch {
    return false;
  }
}
