export { createEarthObservation, type EarthObservationOptions } from './earth-observation.ts';
export { sceneFromItem, type SceneOrReason } from './scene-from-item.ts';
export type { StacApiOptions } from './stac-api.ts';
export type { ReadJson } from './static-catalog.ts';
