export { exportGeoparquet, type GeoparquetExport } from './export/geoparquet/export-geoparquet.ts';
export { exportNdjson } from './export/export-tree.ts';
export type { FileExport, FileOptions } from './writing/atomic.ts';
export { exportStatic, type StaticOptions } from './export/export-static.ts';
export { exportTree, FORMATS, isFormat, type ExportFormat, type ExportOptions } from './export/export-tree.ts';
export { TargetError, TreeError } from './errors.ts';
export type { DocumentTree, WalkLimits } from './tree/walk.ts';
