import { readXml, type XmlElement } from '../protocol/read-xml.ts';

/** Maximum length of a style, characters. */
const LONGEST = 2 ** 20;
/**
 * Names of the allowed elements of an uploaded style, case-sensitive. Other elements could make a GeoServer read
 * addresses or run functions.
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
const PLAIN: ReadonlySet<string> = new Set(['PropertyName', 'WellKnownName', 'VendorOption']);

/**
 * True for a safe style: XML without `<!DOCTYPE>`, with allowed elements only. All its property names are columns of
 * the layer, because a GeoServer evaluates other property names as paths.
 */
export function isSafeStyle(sld: string, columns: ReadonlySet<string>): boolean {
  if (sld.length > LONGEST) return false;
  const isSafe = ({ name, text, children }: XmlElement): boolean => {
    if (!ALLOWED.has(name) || (name === 'PropertyName' && !columns.has(text))) return false;
    if (PLAIN.has(name) && children.length > 0) return false;
    // Names of marks may have only letters, because other names may be file addresses or expressions.
    return (name !== 'WellKnownName' || /^[a-z]+$/i.test(text)) && children.every(isSafe);
  };
  try {
    return isSafe(readXml(sld));
  } catch {
    return false;
  }
}
