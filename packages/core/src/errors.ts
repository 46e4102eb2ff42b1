import { fieldSummary, type FieldErrors, type FieldRule } from './field-problems.ts';

export { publicAddress } from './public-address.ts';

/**
 * Brand that identifies errors of any copy of this package. `instanceof` cannot identify them, because each installed copy
 * has its own class.
 */
const BRAND = Symbol.for('headwater.error');

/** Closed union of failure codes; `http-service` maps each to one HTTP status in one table. */
export type ErrorCode =
  | 'validation'
  | 'parse'
  | 'not_authenticated'
  | 'bad_authorization_header'
  | 'token_not_valid'
  | 'user_inactive'
  | 'user_not_found'
  | 'no_active_account'
  | 'password_change_required'
  | 'computing_not_allowed'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'throttled'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'method_not_allowed'
  | 'range_not_satisfiable'
  | 'key_reused'
  | 'missing_layer'
  | 'dependency_failed'
  | 'cancelled'
  | 'crashed_repeatedly'
  | 'input_data'
  | 'no_scenes'
  | 'storage_full'
  | 'unavailable'
  | 'took_too_long'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'internal';

/** Members of a domain error in addition to code and message. */
export interface DomainErrorOptions {
  readonly fields?: FieldErrors;
  /** Machine-readable extras that may be shown to the caller; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure: a code of the closed union, a message for logs with the remedy, and the invalid fields. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly [BRAND] = true as const;
  readonly code: ErrorCode;
  /** Problems of the invalid fields; empty if there are none. */
  readonly fields: FieldErrors;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fields = options.fields ?? {};
    this.details = options.details ?? {};
  }
}

/** True for a `DomainError` of any copy of this package. */
export function isDomainError(error: unknown): error is DomainError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** Message of a thrown value, also if it is not an Error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A `validation` error about one field: the field's name in the domain, the problem with its remedy, and the broken rule. */
export function invalidField(field: string, message: string, rule: FieldRule = 'invalid'): DomainError {
  return fieldError('validation', { [field]: [{ rule, message }] });
}

/** An error about fields; its message summarises them. */
export function fieldError(
  code: ErrorCode,
  fields: FieldErrors,
  options: Omit<DomainErrorOptions, 'fields'> = {},
): DomainError {
  return new DomainError(code, fieldSummary(fields), { ...options, fields });
}

/** The system's error code (`ENOENT`, `ENOSPC`) of a thrown value; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** True for system errors that mean a full disk or an exhausted quota. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
