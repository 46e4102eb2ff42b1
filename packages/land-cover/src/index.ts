export { createLulcPipeline, lulcPipeline } from './pipeline.ts';
export { LULC_SETTINGS, type LulcSettings } from './run/settings.ts';
export { lulcRequest, type LulcParams, type LulcRequest } from './request/request.ts';
export { rasterItemPlace } from './run/names.ts';
export * from './classes/classes.ts';
export { LULC_METHOD_VERSION, LULC_THRESHOLDS, QUALITY } from './method/thresholds.ts';
export { lulcSeries, LULC_BANDS, type LulcSeries } from './series/series.ts';
export { FIRST_YEAR, lastCompleteYear } from './series/years.ts';
export { isThin, NEEDED, periodOf, readYear, type YearReading } from './run/year-scenes.ts';
