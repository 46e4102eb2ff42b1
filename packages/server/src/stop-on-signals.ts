import type { Logger } from '@headwater/core';
import { ConfigError } from './config/config-error.ts';

/** Timeout of a clean stop, ms. It is below 10 s, after which container engines kill a process. */
const STOP_MS = 9000;

/** Returns a signal that aborts when SIGINT or SIGTERM stops a command; `messageOf` returns the message of its `ConfigError`. */
export function abortOnSignals(messageOf: (signal: string) => string): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: string): void => stop.abort(new ConfigError(messageOf(signal)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  return stop.signal;
}

/**
 * Stops this process cleanly; later signals do not start a second stop. `close` may first wait for `delayMs`. The exit code is 0 after SIGINT or SIGTERM.
 * It is 1 after a fault, if closing fails, or if a fault occurs during the stop.
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
    // If closing takes too long, the process exits. This loses no data, because results are published in one transaction, and files get their final
    // names only when they are complete.
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

/** Unhandled rejections of this process. After an unhandled rejection the state of the process is unknown, so it must be restarted. */
interface Faults {
  /** Returns the reason why this process must be restarted; undefined without a fault. */
  readonly reason: () => string | undefined;
  /**
   * Sets the function that ends the process after a fault; the function gets the exit code. Until a function is set, a fault ends the process
   * immediately.
   */
  readonly endBy: (stop: (code: number) => void) => void;
}

/** Watches for unhandled rejections. Each rejection is logged. The first rejection makes the process unhealthy and ends it with exit code 1. */
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
