import type { ErrorCode } from '@headwater/core';
import { KEY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';

/** What every row of the public data has in common. */
export const KEY_ROW = {
  method: 'GET',
  auth: 'apiKey',
  tag: 'public',
  errorFormat: 'key',
  keepsQueries: true,
} as const;

/** Failures of every row of the public data. */
export const PUBLIC_DATA_ERRORS: readonly ErrorCode[] = [...KEY_ERRORS, ...PARAMETER_ERRORS, 'not_found'];
