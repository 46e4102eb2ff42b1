import { join } from 'node:path';
import type { Logger } from '@headwater/core';
import pino from 'pino';
import type { Config } from './config/read-config.ts';
import type { LogConfig } from './config/service.ts';
import { LOG_FILES, LogFile } from './log-file.ts';
import { humanLine } from './log-lines.ts';
import { boundedFields, escaped, shortened } from './log-text.ts';

/** Output for log lines in addition to the file. */
export interface LogOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Options of a logger. */
export interface LoggerOptions extends Partial<LogConfig> {
  readonly output?: LogOutput;
}

/**
 * Creates the logger. It writes JSON to `DATA_DIR/logs/headwater/headwater.log`. To stdout, it writes lines for people
 * (the default on a terminal) or JSON. Fields with passwords and tokens are hidden, texts are limited, and no value can
 * add a line.
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
    // There is nothing to flush, because every line is written immediately.
    flush: () => {},
  };
}
