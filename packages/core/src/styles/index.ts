export { rampQml, rasterQml, vectorQml, type VectorStyle } from './qml.ts';
export { rampLegend, rampStops } from './ramp.ts';
export { rampSld, rasterSld, vectorSld } from './sld.ts';
export { rgb, type StyleClass } from './style-class.ts';
