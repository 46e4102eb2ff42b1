export { coverZones, zonal, zonalMany } from './zonal.ts';
export type { ZoneCoverage } from './zonal.ts';
export { TouchedMask } from './touched-mask.ts';
export { coverageOf } from './coverage.ts';
export type { Coverage } from './coverage.ts';
