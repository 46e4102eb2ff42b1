import { DomainError } from '@headwater/core/errors';

/**
 * Creates the error of a bad OGC request (400). `ogcCode`: exception code; `locator`: wrong parameter; `message`:
 * parameter, problem and remedy.
 */
export function ogcError(ogcCode: string, locator: string, message: string): DomainError {
  return new DomainError('validation', message, { details: { ogcCode, locator } });
}

/** Creates the error 404 of an OGC request. */
export function ogcAbsent(ogcCode: string, locator: string, message: string): DomainError {
  return new DomainError('not_found', message, { details: { ogcCode, locator } });
}
