/**
 * Key of a property of Headwater's errors, by which `isDomainError` of @headwater/core recognises errors of this
 * package.
 */
const BRAND = Symbol.for('headwater.error');

/** Codes of this package's errors. Each code has the same meaning as in @headwater/core. */
export type NetErrorCode = 'input_data' | 'storage_full' | 'unavailable' | 'validation';

/** Details and cause of an error. */
export interface NetErrorOptions {
  /** Machine-readable details without secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure of a request or a file: a code, and a message with the remedy. */
export class NetError extends Error {
  override readonly name = 'NetError';
  readonly [BRAND] = true as const;
  readonly code: NetErrorCode;
  /** Always empty, because these errors never concern a field of a request. */
  readonly fields = {};
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: NetErrorCode, message: string, { details = {}, cause }: NetErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** True for errors of this package and of @headwater/core. After such an error, requests are not retried. */
export function isFinal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/**
 * Removes user name, password, query and fragment from an http(s) address, because these parts may contain keys and signatures. Other
 * texts are not changed.
 */
export function shownAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // Text that is not a valid URL may also contain a secret. So a pattern is used instead of `URL`.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
