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

/** Logger that discards all lines; the default if no logger is set. */
export const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/**
 * Builds the public addresses in Items and layers. The HTTP service implements this interface, so no pipeline needs a path or a host name.
 * Addresses may begin with a placeholder for the service's own address; the service replaces the placeholder when it sends an Item.
 */
export interface Addresses {
  /** Root of the STAC catalogue. */
  catalog(): string;
  /** A Collection of any level; `path` is its slugs joined by '/', e.g. `assam/cachar/lakhipur`. */
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

/**
 * Texts of advice about missing data and refused callers, for messages. The host sets these texts, because the host selects the sources of
 * data.
 */
export interface Remedies {
  /** Advice for a tehsil without boundary or micro-watersheds; it continues the message "Jalsrota has no boundary; ". */
  readonly placeData: string;
  /** Advice for a place and time without usable scenes: one or more sentences. */
  readonly scenes: string;
  /** Advice for a place without complete elevation data: one or more sentences. */
  readonly elevation: string;
  /** Advice for a service without orchestrator: one or more sentences. */
  readonly orchestrator: string;
  /** Advice for callers whose address the work service refuses: one or more sentences. */
  readonly callers: string;
  /**
   * Advice for a process that does not read the scenes of a platform, although other processes of the service read them: one or more
   * sentences.
   */
  readonly sceneEngines: string;
}
