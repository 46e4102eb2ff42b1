/** Source of the current time, so that tests can control it. */
export interface Clock {
  now(): Date;
}

/** Writes structured log lines; `fields` must not contain secrets. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Logger that discards all lines; the default. */
export const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/** Builds the public addresses in Items and layers, so that no pipeline needs a host name. */
export interface Addresses {
  /** Root of the STAC catalogue. */
  catalog(): string;
  /** A Collection; `path` is its slugs joined by '/', e.g. `assam/cachar/lakhipur`. */
  collection(path: string): string;
  /** An Item of the Collection at `path`. */
  item(path: string, id: string): string;
  /** A published file by its `AssetStore` key, `{runId}/{token}/{name}`. */
  file(key: string): string;
  /** All features of a vector layer as GeoJSON. */
  features(workspace: string, layer: string): string;
  /** The newest rows of a table of the Collection at `path`. */
  table(path: string, name: string, form: 'json' | 'csv'): string;
  /** A whole raster layer as GeoTIFF. */
  coverage(workspace: string, layer: string): string;
}

/** Texts of advice for messages, set by the host. */
export interface Remedies {
  /**
   * Advice for a tehsil without boundary or micro-watersheds. In messages, it follows a text such as "Jalsrota has no
   * boundary; ".
   */
  readonly placeData: string;
  /** Sentences of advice for a place and time without usable scenes. */
  readonly scenes: string;
  /** Sentences of advice for a place without complete elevation data. */
  readonly elevation: string;
  /** Sentences of advice for a service without orchestrator. */
  readonly orchestrator: string;
  /** Sentences of advice for callers whose address the work service refuses. */
  readonly callers: string;
  /** Sentences of advice for a process without scene engine, although other processes have one. */
  readonly sceneEngines: string;
}
