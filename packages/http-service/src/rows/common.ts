import type { ErrorCode } from '@headwater/core';
import type { ResponseSpec } from './operation.ts';
import type { ZodType } from 'zod';

/** Failures of whoever's token does not do. */
export const TOKEN_ERRORS: readonly ErrorCode[] = [
  'not_authenticated',
  'bad_authorization_header',
  'token_not_valid',
  'user_inactive',
  'user_not_found',
];

/** Failures of every row behind a bearer token. */
export const BEARER_ERRORS: readonly ErrorCode[] = [...TOKEN_ERRORS, 'password_change_required'];

/** Failures of every row that starts computations. */
export const COMPUTING_ERRORS: readonly ErrorCode[] = [...BEARER_ERRORS, 'computing_not_allowed'];

/** Failures of every row for superusers. */
export const SUPERUSER_ERRORS: readonly ErrorCode[] = [...BEARER_ERRORS, 'forbidden'];

/** Failures of every row behind an API key. */
export const KEY_ERRORS: readonly ErrorCode[] = ['not_authenticated', 'token_not_valid', 'throttled'];

/** Failures of every row with a JSON body. */
export const BODY_ERRORS: readonly ErrorCode[] = ['validation', 'parse', 'payload_too_large', 'unsupported_media_type'];

/** Failures of rows that read parameters only. */
export const PARAMETER_ERRORS: readonly ErrorCode[] = ['validation', 'parse'];

/** A JSON answer of a schema. */
export function ok(description: string, schema: ZodType): ResponseSpec {
  return { description, schema };
}
