import { DomainError, isDomainError, isDiskFull } from '../errors.ts';
import type { FieldErrors, FieldProblem } from '../field-problems.ts';
import type { RunFailure } from '../ports/runs.ts';
import type { Logger } from '../ports/host.ts';
import { storableText } from '../storable-text.ts';

/**
 * Converts an error into a failure for the run's owner. Unexpected errors are logged, and the owner gets the id of the
 * log line.
 */
export function toRunFailure(error: unknown, runId: string, logger: Logger): RunFailure {
  const known = isDomainError(error) ? error : fullDisk(error);
  if (known !== undefined) {
    const fields = Object.keys(known.fields).length === 0 ? {} : { fields: known.fields };
    return { code: known.code, message: storableText(known.message), ...fields };
  }
  const errorId = globalThis.crypto.randomUUID();
  logger.error({ runId, errorId, error: errorText(error) }, 'run failed unexpectedly');
  const message = `An unexpected error ended the run. The log of the service has the details under the id ${errorId}; give this id to the operator.`;
  return { code: 'internal', message };
}

/** Returns the fields of a stored failure; texts of version 0.1 become problems with the rule `invalid`. */
export function failureFields({ fields = {} }: Pick<RunFailure, 'fields'>): FieldErrors {
  const problemOf = (stored: FieldProblem | string): FieldProblem =>
    typeof stored === 'string' ? { rule: 'invalid', message: stored } : stored;
  return Object.fromEntries(Object.entries(fields).map(([field, stored]) => [field, stored.map(problemOf)]));
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by: ${errorText(error.cause)}`;
}

// Detects a full disk, for which native code and libraries throw system errors.
function fullDisk(error: unknown): DomainError | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    if (isDiskFull(at)) {
      return new DomainError('storage_full', 'The disk is full; free some space, then start the run again.', {
        cause: error,
      });
    }
    at = Reflect.get(at, 'cause');
  }
  return undefined;
}
