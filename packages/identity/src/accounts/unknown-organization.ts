import { fieldError, type DomainError } from '@headwater/core';

/** The refusal of an organisation that is not stored. */
export function unknownOrganization(): DomainError {
  return fieldError('validation', { organization: [{ rule: 'unknown', message: 'Organization not found.' }] });
}
