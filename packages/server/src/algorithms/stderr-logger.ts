import type { Logger } from '@headwater/core';
import pino from 'pino';
import type { Config } from '../config/read-config.ts';
import { humanLine } from '../log-lines.ts';
import { boundedFields, escaped, shortened } from '../log-text.ts';

/** Logs human-readable lines to stderr: stdout belongs to the result, and the log of a container is its output. */
export function createStderrLogger(level: Config['logLevel'], output: Pick<NodeJS.WriteStream, 'write'>): Logger {
  const write = (json: string): void => {
    const line = humanLine(escaped(json.trimEnd()), level === 'debug');
    if (line !== undefined) output.write(line);
  };
  const formatters = { level: (label: string) => ({ level: label }), log: boundedFields };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, { write });
  return {
    debug: (fields, message) => log.debug(fields, shortened(message)),
    info: (fields, message) => log.info(fields, shortened(message)),
    error: (fields, message) => log.error(fields, shortened(message)),
  };
}
