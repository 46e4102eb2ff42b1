/** Brand of Headwater's errors, by which `isDomainError` of @headwater/core recognises errors of this package. */
const BRAND = Symbol.for('headwater.error');

/** Codes of this package's errors; each has the meaning of the same code in @headwater/core. */
export type NetErrorCode = 'input_data' | 'storage_full' | 'unavailable' | 'validation';

/** Details and cause of an error. */
export interface NetErrorOptions {
  /** Machine-readable extras without secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure of a request or a file: a code, and a message with the remedy. */
export class NetError extends Error {
  override readonly name = 'NetError';
  readonly [BRAND] = true as const;
  readonly code: NetErrorCode;
  /** Always empty: no request field is at fault. */
  readonly fields = {};
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: NetErrorCode, message: string, { details = {}, cause }: NetErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** True for errors of this package and of @headwater/core, which a retry would not avoid. */
export function isFinal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** An http(s) address without user name, password, query and fragment, which hold keys and signatures; any other text unchanged. */
export function shownAddress(href: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(href)) return href;
  // By pattern, not by URL: text that no URL parser accepts may hold a secret too.
  return href.replace(/[?#].*$/s, '').replace(/([/\\]{2})[^/\\]*@/, '$1');
}
