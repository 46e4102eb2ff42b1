import type { Logger } from '@headwater/core';

/** Rejections of this process that nothing handles. After one of them nothing says which of its parts still works. */
export interface Faults {
  /** Why this process has to be started again; undefined while there was no fault. */
  readonly reason: () => string | undefined;
  /** From now on a fault ends the process by `stop`, which gets the exit code; before, it ends at once. */
  readonly endBy: (stop: (code: number) => void) => void;
}

/** Watches for faults: each is logged, the first one makes the process unhealthy and ends it with exit code 1. */
export function watchFaults(logger: Logger): Faults {
  let reason: string | undefined;
  let end = (code: number): void => process.exit(code);
  process.on('unhandledRejection', (error) => {
    logger.error({ error }, 'a promise was rejected and nothing handled it; report this fault. The process stops');
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
