import type { Logger } from '@headwater/core';

/** Unhandled rejections of this process. After one of them its state is unknown. */
export interface Faults {
  /** Returns the reason why this process must be restarted; undefined without a fault. */
  readonly reason: () => string | undefined;
  /** Sets the function that ends the process after a fault; it gets the exit code. Until it is set, a fault ends the process immediately. */
  readonly endBy: (stop: (code: number) => void) => void;
}

/** Watches for unhandled rejections. Each is logged; the first makes the process unhealthy and ends it with exit code 1. */
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
