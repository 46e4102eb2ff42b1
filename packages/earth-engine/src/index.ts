export { DEFAULT_HOSTS, createGoogleApi, type GoogleApi, type GoogleHosts, PlatformError } from './google-api.ts';
export { createExporter, type Exporter, type ExporterParts } from './exporter.ts';
export { EARTH_ENGINE_SCOPES, type ExportSettings } from './steps/step.ts';
