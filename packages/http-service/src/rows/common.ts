import type { ErrorCode } from '@headwater/core';
import type { ResponseSpec } from './operation.ts';
import type { ZodType } from 'zod';

/** Errors of a missing or invalid token. */
export const TOKEN_ERRORS: readonly ErrorCode[] = [
  'not_authenticated',
  'bad_authorization_header',
  'token_not_valid',
  'user_inactive',
  'user_not_found',
];

/** Errors of every operation with a bearer token. */
export const BEARER_ERRORS: readonly ErrorCode[] = [...TOKEN_ERRORS, 'password_change_required'];

/** Errors of every operation that starts computations. */
export const COMPUTING_ERRORS: readonly ErrorCode[] = [...BEARER_ERRORS, 'computing_not_allowed'];

/** Errors of every operation for superusers. */
export const SUPERUSER_ERRORS: readonly ErrorCode[] = [...BEARER_ERRORS, 'forbidden'];

/** Errors of every operation with an API key. */
export const KEY_ERRORS: readonly ErrorCode[] = ['not_authenticated', 'token_not_valid', 'throttled'];

/** Errors of every operation with a JSON body. */
export const BODY_ERRORS: readonly ErrorCode[] = ['validation', 'parse', 'payload_too_large', 'unsupported_media_type'];

/** Errors of operations with parameters only. */
export const PARAMETER_ERRORS: readonly ErrorCode[] = ['validation', 'parse'];

/** A JSON response with a schema. */
export function ok(description: string, schema: ZodType): ResponseSpec {
  return { description, schema };
}

/** Features that can be mounted alone, by the names of their folders. */
export const FEATURES = [
  'accounts',
  'admin',
  'dashboard',
  'discovery',
  'maps',
  'public-data',
  'regions',
  'reports',
  'runs',
  'sign-in',
  'stac-api',
  'system',
  'work-service',
] as const;

/** Name of a feature. */
export type Feature = (typeof FEATURES)[number];
