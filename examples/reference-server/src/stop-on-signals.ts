import type { Logger } from '@headwater/core';

/** Longest wait for an end in good order, ms. */
const STOP_MS = 4500;

/** Ends this process in good order when it is told to, once: exit code 0, or 1 where closing fails. */
export function stopOnSignals(close: () => Promise<void>, logger: Logger): void {
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    // Whatever still hangs then survives an exit: results are published in one transaction, files are renamed into place.
    setTimeout(() => process.exit(0), STOP_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
