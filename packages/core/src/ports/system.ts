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
