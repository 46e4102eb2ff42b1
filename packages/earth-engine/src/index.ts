export { DEFAULT_HOSTS, createGoogleApi, type GoogleApi, type GoogleHosts, PlatformError } from './google-api.ts';
export { createExporter, type Exporter, type ExporterParts } from './exporter.ts';
export { EARTH_ENGINE_SCOPES, type ExportSettings } from './steps/step.ts';
export { createSceneEngines, SCENE_SCOPES, type SceneEnginesParts } from './scenes/scene-engines.ts';
export { DEFAULT_REQUESTS, SCENE_REMEDIES, type RequestSettings } from './scenes/requests.ts';
export {
  createUsageReader,
  USAGE_REMEDIES,
  USAGE_SCOPES,
  type UsageReader,
  type UsageReaderParts,
} from './usage/usage-reader.ts';
export type { BandFile, SceneFiles, StripFile } from './scenes/scene-files.ts';
