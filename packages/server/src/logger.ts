import { join } from 'node:path';
import type { Logger } from '@headwater/core';
import pino from 'pino';
import type { Config } from './config/read-config.ts';
import type { LogConfig } from './config/service.ts';
import { LOG_FILES, LogFile } from './log-file.ts';
import { humanLine } from './log-lines.ts';
import { boundedFields, escaped, shortened } from './log-text.ts';

/** Where lines for people and machines go beside the file. */
export interface LogOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How to log, where it is not as on a fresh start. */
export interface LoggerOptions extends Partial<LogConfig> {
  /** Default: stdout. */
  readonly output?: LogOutput;
}

/**
 * Lines on stdout (for people on a terminal, else JSON) and as JSON in `DATA_DIR/logs/headwater/headwater.log`, which is followed
 * by others. Fields that could hold a secret are blanked, texts have an end, and nothing in them breaks out of its line.
 */
export function createLogger(
  level: Config['logLevel'],
  dataDir: string,
  options: LoggerOptions = {},
): Logger & { flush: () => void } {
  const { output = process.stdout, fileBytes, files } = { ...LOG_FILES, ...options };
  const file = new LogFile({
    path: join(dataDir, 'logs', 'headwater', 'headwater.log'),
    maxBytes: fileBytes,
    files,
  });
  const format = options.format ?? (output.isTTY === true ? 'human' : 'json');
  const write = (json: string): void => {
    const line = `${escaped(json.trimEnd())}\n`;
    file.write(line);
    const shown = format === 'json' ? line : humanLine(json, level === 'debug');
    if (shown !== undefined) output.write(shown);
  };
  const log = pino(
    {
      level,
      base: { service: 'headwater' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: boundedFields },
      redact: {
        paths: ['password', 'access', 'refresh', 'authorization', '*.password', '*.authorization'],
        censor: '[hidden]',
      },
    },
    { write },
  );
  return {
    debug: (fields, message) => log.debug(fields, shortened(message)),
    info: (fields, message) => log.info(fields, shortened(message)),
    error: (fields, message) => log.error(fields, shortened(message)),
    // Every line is written at once.
    flush: () => {},
  };
}
