import { join } from 'node:path';
import type { Logger } from '@headwater/core';
import pino from 'pino';

/** Where lines go beside the file. */
export interface LogOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** JSON lines on `output` (default: stdout) and in `DATA_DIR/logs/headwater/headwater.log`. Fields that could hold a secret are blanked. */
export function createLogger(
  level: 'debug' | 'info' | 'error',
  dataDir: string,
  { output }: { readonly output?: LogOutput } = {},
): Logger & { flush: () => void } {
  const file = pino.destination({
    dest: join(dataDir, 'logs', 'headwater', 'headwater.log'),
    mkdir: true,
    append: true,
    sync: true,
  });
  const log = pino(
    {
      level,
      base: { service: 'headwater' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['password', 'access', 'refresh', 'authorization', '*.password', '*.authorization'],
        censor: '[hidden]',
      },
      serializers: { error: pino.stdSerializers.errWithCause, cause: pino.stdSerializers.errWithCause },
    },
    pino.multistream([
      {
        level,
        stream:
          output?.isTTY === true
            ? { write: (line) => void output.write(line) }
            : pino.destination({ dest: 1, sync: true }),
      },
      { level, stream: file },
    ]),
  );
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    error: (fields, message) => log.error(fields, message),
    flush: () => file.flushSync(),
  };
}
