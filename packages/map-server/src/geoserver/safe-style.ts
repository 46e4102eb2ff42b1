import { readXml, type XmlElement } from '../protocol/read-xml.ts';

/** Maximum length of a style that is uploaded, characters. */
const LONGEST = 2 ** 20;
/**
 * Elements that an uploaded style may have. The case is also compared, because a GeoServer itself does not distinguish
 * upper and lower case. Other elements could make a GeoServer read an address, evaluate a function, or run a process,
 * with the rights of the GeoServer. This is a risk, because styles may come with imported layers.
 */
const ALLOWED: ReadonlySet<string> = new Set(
  `
    StyledLayerDescriptor NamedLayer UserLayer UserStyle Name Title Abstract Description IsDefault
    FeatureTypeStyle FeatureTypeName SemanticTypeIdentifier Rule LegendGraphic ElseFilter MinScaleDenominator
    MaxScaleDenominator PolygonSymbolizer LineSymbolizer PointSymbolizer TextSymbolizer RasterSymbolizer Geometry
    Fill Stroke CssParameter SvgParameter GraphicFill GraphicStroke Graphic Mark WellKnownName Opacity Size
    Rotation Displacement DisplacementX DisplacementY AnchorPoint AnchorPointX AnchorPointY PerpendicularOffset
    Gap InitialGap Label Font Halo Radius LabelPlacement PointPlacement LinePlacement IsRepeated IsAligned
    GeneralizeLine Priority VendorOption ColorMap ColorMapEntry ChannelSelection RedChannel GreenChannel
    BlueChannel GrayChannel SourceChannelName ContrastEnhancement Normalize Histogram GammaValue OverlapBehavior
    ShadedRelief BrightnessOnly ReliefFactor Filter And Or Not PropertyIsEqualTo PropertyIsNotEqualTo
    PropertyIsLessThan PropertyIsLessThanOrEqualTo PropertyIsGreaterThan PropertyIsGreaterThanOrEqualTo
    PropertyIsBetween PropertyIsLike PropertyIsNull LowerBoundary UpperBoundary PropertyName Literal Add Sub Mul
    Div
  `
    .trim()
    .split(/\s+/),
);
/** Elements that may contain only text. */
const PLAIN: ReadonlySet<string> = new Set(['PropertyName', 'WellKnownName', 'VendorOption']);

/**
 * True for a style that may be uploaded: XML without a document type, with allowed elements only, and with columns of
 * the layer as properties. Other names of properties are refused, because a GeoServer evaluates such names as paths.
 */
export function isSafeStyle(sld: string, columns: ReadonlySet<string>): boolean {
  if (sld.length > LONGEST) return false;
  const isSafe = ({ name, text, children }: XmlElement): boolean => {
    if (!ALLOWED.has(name) || (name === 'PropertyName' && !columns.has(text))) return false;
    if (PLAIN.has(name) && children.length > 0) return false;
    // Only letters are allowed in the name of a mark, because other names may be addresses of files or contain
    // expressions.
    return (name !== 'WellKnownName' || /^[a-z]+$/i.test(text)) && children.every(isSafe);
  };
  try {
    return isSafe(readXml(sld));
  } catch {
    return false;
  }
}
