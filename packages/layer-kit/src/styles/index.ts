export { rampQml, rasterQml, vectorQml } from './qml.ts';
export { rampLegend, rampStops } from './ramp.ts';
export { rampSld, rasterSld, vectorSld } from './sld.ts';
export { rgb, type StyleClass } from './ramp.ts';
export { featureColor, stepColor, stepsLegend, type VectorStyle } from './vector-style.ts';
