/** The current time. Injected, so that tests control it. */
export interface Clock {
  now(): Date;
}

/** Structured log lines; `fields` never carry secrets. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Logger that discards all lines; the default if no logger is set. */
export const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/**
 * Public addresses that Items and layer records carry. The host that serves them builds them, so no pipeline needs a path or a host name.
 * They may begin with a placeholder for the service's own address, which is replaced when an Item is served.
 */
export interface Addresses {
  /** Root of the STAC catalogue. */
  catalog(): string;
  /** A Collection; `path` is its slugs joined by '/', e.g. `assam/cachar/lakhipur` (one or two levels too). */
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

/** Advice to the operator about missing data and refused callers, in words. The host that composes a service sets it, since it chose the places of its data. */
export interface Remedies {
  /** For a tehsil without boundary or micro-watersheds; continues the message "Jalsrota has no boundary; ". */
  readonly placeData: string;
  /** For a place and time without usable scenes: one or more sentences. */
  readonly scenes: string;
  /** For a place without complete elevation data: one or more sentences. */
  readonly elevation: string;
  /** For a service without orchestrator: one or more sentences. */
  readonly orchestrator: string;
  /** For callers of the work service at addresses that it does not answer: one or more sentences. */
  readonly callers: string;
}
