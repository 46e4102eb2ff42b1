import { DomainError } from '@headwater/core/errors';

/**
 * Creates the error of a bad OGC request (400). `ogcCode`: exception code of the protocol; `locator`: the wrong parameter;
 * `message`: the parameter, the problem and the remedy.
 */
export function ogcError(ogcCode: string, locator: string, message: string): DomainError {
  return new DomainError('validation', message, { details: { ogcCode, locator } });
}

/** Creates the error of a request for something that does not exist (404). */
export function ogcAbsent(ogcCode: string, locator: string, message: string): DomainError {
  return new DomainError('not_found', message, { details: { ogcCode, locator } });
}
