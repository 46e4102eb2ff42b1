import type { Logger } from '@headwater/core';
import { ConfigError } from './config/config-error.ts';

/** Timeout of a stop, ms; container engines kill a process after 10 s. */
const STOP_MS = 9000;

/** Returns a signal that SIGINT or SIGTERM aborts with a `ConfigError`. */
export function abortOnSignals(messageOf: (signal: string) => string): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: string): void => stop.abort(new ConfigError(messageOf(signal)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  return stop.signal;
}

/**
 * Calls `close` after a signal or a fault, and then exits: with code 0 after a signal, 1 after a fault or a failed
 * `close`. Exits after `STOP_MS` and `delayMs` even if `close` has not ended.
 */
export function stopOnSignals(
  close: () => Promise<void>,
  logger: Logger,
  { endBy, delayMs = 0 }: Pick<Faults, 'endBy'> & { readonly delayMs?: number },
): void {
  let stopping = false;
  let exitCode = 0;
  const stop = (facts: Readonly<Record<string, unknown>>, code: number): void => {
    exitCode = Math.max(exitCode, code);
    if (stopping) return;
    stopping = true;
    logger.info(facts, 'stopping');
    // A forced exit loses no data: results are published in one transaction, and files are renamed when complete.
    setTimeout(() => process.exit(exitCode), STOP_MS + delayMs).unref();
    close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        logger.error({ error }, 'closing failed; the process exits now, and the next start continues its runs');
        process.exit(1);
      },
    );
  };
  const onSignal = (signal: string): void => stop({ signal }, 0);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  endBy((code) => stop({}, code));
}

/**
 * Unhandled rejections of this process. After such a rejection, the state of the process is unknown, so it must end.
 */
interface Faults {
  readonly reason: () => string | undefined;
  /** Sets the function that ends the process after a fault. Until then, a fault ends the process immediately. */
  readonly endBy: (stop: (code: number) => void) => void;
}

/** Watches unhandled rejections. The first one ends the process with exit code 1. */
export function watchFaults(logger: Logger): Faults {
  let reason: string | undefined;
  let end = (code: number): void => process.exit(code);
  process.on('unhandledRejection', (error) => {
    logger.error({ error }, 'unhandled promise rejection; please report it. The process stops');
    reason ??= error instanceof Error ? error.message : String(error);
    end(1);
  });
  return {
    reason: () => reason,
    endBy: (stop) => {
      end = stop;
    },
  };
}
