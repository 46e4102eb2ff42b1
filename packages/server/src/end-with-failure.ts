import { isDomainError } from '@headwater/core';
import { ConfigError } from './config/read-config.ts';

/**
 * Ends the process with a message on stderr. The exit code is 2 for an invalid setting or argument, otherwise 1.
 * `failure`: failed action, such as `cannot start`.
 */
export function endWithFailure(error: unknown, failure: string): never {
  if (error instanceof ConfigError || isDomainError(error))
    process.stderr.write(`\nheadwater ${failure}: ${error.message}\n`);
  else
    process.stderr.write(
      `\nheadwater failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  process.exit(error instanceof ConfigError ? 2 : 1);
}
