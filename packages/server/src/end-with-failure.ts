import { isDomainError } from '@headwater/core';
import { ConfigError } from './config/read-config.ts';

/**
 * Ends the process with a message on stderr. The exit code is 2 for an invalid setting or argument, otherwise 1.
 * `doing` describes the failure, such as `cannot start`.
 */
export function endWithFailure(error: unknown, doing: string): never {
  if (error instanceof ConfigError || isDomainError(error))
    process.stderr.write(`\nheadwater ${doing}: ${error.message}\n`);
  else
    process.stderr.write(
      `\nheadwater failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  process.exit(error instanceof ConfigError ? 2 : 1);
}
