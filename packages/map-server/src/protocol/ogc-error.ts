import { DomainError } from '@headwater/core/errors';

/**
 * Creates the error of a bad OGC request. `ogcCode`: exception code of the protocol; `locator`: the wrong parameter;
 * `message`: the parameter, the problem and the remedy.
 */
export function ogcError(ogcCode: string, locator: string, message: string): DomainError {
  return new DomainError('validation', message, { details: { ogcCode, locator } });
}
