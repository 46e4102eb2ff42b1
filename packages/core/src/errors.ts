import { fieldSummary, type FieldErrors, type FieldRule } from './field-problems.ts';

export { publicAddress } from './public-address.ts';

/** A brand, because `instanceof` cannot identify errors of other installed copies of this package. */
const BRAND = Symbol.for('headwater.error');

/** Failure codes; `http-service` maps each code to one HTTP status. */
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
  /** Machine-readable extras for the caller; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure: a code, a message for logs with the remedy, and the invalid fields. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly [BRAND] = true as const;
  readonly code: ErrorCode;
  readonly fields: FieldErrors;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fields = options.fields ?? {};
    this.details = options.details ?? {};
  }
}

/** Returns true for a `DomainError` of any copy of this package. */
export function isDomainError(error: unknown): error is DomainError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** Returns the message of a thrown value, also if the value is not an Error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Creates a `validation` error about one field, with the problem, its remedy and the broken rule. */
export function invalidField(field: string, message: string, rule: FieldRule = 'invalid'): DomainError {
  return fieldError('validation', { [field]: [{ rule, message }] });
}

/** Creates an error about fields, whose message lists them. */
export function fieldError(
  code: ErrorCode,
  fields: FieldErrors,
  options: Omit<DomainErrorOptions, 'fields'> = {},
): DomainError {
  return new DomainError(code, fieldSummary(fields), { ...options, fields });
}

/** Returns the system's error code (`ENOENT`, `ENOSPC`) of a thrown value; undefined if there is none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns true for system errors that mean a full disk or an exhausted quota. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
