// `@headwater/core/geo`: grids, outlines and areas.
export { otherCrsOf } from './crs-member.ts';
export { FeatureScanner, type ScanFault, type ScanRules } from './feature-scanner.ts';
export { checkedGrid, OUTPUT_PIXEL_DEG, outputGrid, projectedBox, type Box, type ZoneCover } from './grid.ts';
export { outlineDigest } from './outline-digest.ts';
export { boxOf, boxPolygon, featureGeometry, multiCoordinates, type Outline, windRings } from './outlines.ts';
export { pixelAreasM2 } from './pixel-areas.ts';
export { sphericalAreaHa } from './spherical-area.ts';
export { fromUtm, toUtm, utmCrsOf, utmZone, type UtmZone } from './utm.ts';
