import type { Logger } from './ports/system.ts';

/** Says nothing: for whoever gives no logger. */
export const SILENT: Logger = { debug: () => {}, info: () => {}, error: () => {} };
