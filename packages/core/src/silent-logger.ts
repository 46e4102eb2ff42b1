import type { Logger } from './ports/system.ts';

/** Logger that discards all lines; the default if no logger is set. */
export const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };
