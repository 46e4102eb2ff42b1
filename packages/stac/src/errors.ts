/** `error`: not conforming. `warning`: conforming, but clients stumble. `info`: worth knowing, or not checked. */
export type Severity = 'error' | 'warning' | 'info';

/** One fault of a document. */
export interface Finding {
  /** JSON pointer (RFC 6901) to the value at fault; '' is the whole document. */
  readonly pointer: string;
  /** Stable id of the rule, e.g. `bbox.matches-geometry`. */
  readonly rule: string;
  readonly severity: Severity;
  /** What stands there, shortened. */
  readonly got: string;
  readonly expected: string;
  /** What to do about it. */
  readonly fix: string;
  /** Where the rule comes from: `spec` (interface specification), `stac`, `rfc7946`, `headwater`, or an extension's schema URL. */
  readonly source: string;
}

/** Brand that survives duplicate copies of this package, so nobody needs `instanceof` across packages. */
const BRAND = Symbol.for('headwater.stac.error');

/** Thrown by builders and `assertValid`: the message names every fault; `findings` holds them as data where there are any. */
export class StacError extends Error {
  override readonly name = 'StacError';
  readonly [BRAND] = true as const;
  readonly findings: readonly Finding[];

  constructor(message: string, findings: readonly Finding[] = []) {
    super(message);
    this.findings = findings;
  }
}

/** True for a `StacError` of any copy of this package. */
export function isStacError(error: unknown): error is StacError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
