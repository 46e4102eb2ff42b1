import type { Logger } from '@headwater/core';
import type { Faults } from './faults.ts';

/** Timeout of a clean stop, ms. */
const STOP_MS = 4500;

/**
 * Stops this process cleanly, once. The exit code is 0 after SIGINT or SIGTERM, and 1 after a fault or if closing fails. A fault during the
 * stop also raises the exit code.
 */
export function stopOnSignals(close: () => Promise<void>, logger: Logger, faults: Pick<Faults, 'endBy'>): void {
  let stopping = false;
  let exitCode = 0;
  const stop = (facts: Readonly<Record<string, unknown>>, code: number): void => {
    exitCode = Math.max(exitCode, code);
    if (stopping) return;
    stopping = true;
    logger.info(facts, 'stopping');
    // An exit during work is safe: results are published in one transaction, and files are renamed into place.
    setTimeout(() => process.exit(exitCode), STOP_MS).unref();
    close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        logger.error({ error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  const onSignal = (signal: string): void => stop({ signal }, 0);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  faults.endBy((code) => stop({}, code));
}
