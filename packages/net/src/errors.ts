/** `isDomainError` of @headwater/core recognises errors by this key. */
const BRAND = Symbol.for('headwater.error');

/** Error codes; same meaning as in @headwater/core. */
export type NetErrorCode = 'input_data' | 'storage_full' | 'unavailable' | 'validation';

/** Details and cause of an error. */
export interface NetErrorOptions {
  /** Details without secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure of a request or a file; the message has a remedy. */
export class NetError extends Error {
  override readonly name = 'NetError';
  readonly [BRAND] = true as const;
  readonly code: NetErrorCode;
  /** Always empty: no error concerns a field of a request. */
  readonly fields = {};
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: NetErrorCode, message: string, { details = {}, cause }: NetErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** True for errors of this package and of @headwater/core. Requests are not retried after such an error. */
export function isFinal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** Removes user name, password, query and fragment from a URL, because they may contain secrets. Keeps file paths. */
export function shownAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // `URL` is not used, because it rejects invalid URLs, which may contain secrets too.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
