/**
 * `error`: the document does not conform. `warning`: the document conforms, but often causes problems for clients.
 * `info`: a useful fact, or a part that was not checked.
 */
export type Severity = 'error' | 'warning' | 'info';

/** One finding about a document. */
export interface Finding {
  /** JSON pointer (RFC 6901) to the value at fault; '' is the whole document. */
  readonly pointer: string;
  /** Stable id of the rule, e.g. `bbox.matches-geometry`. */
  readonly rule: string;
  readonly severity: Severity;
  /** The value found, shortened. */
  readonly got: string;
  readonly expected: string;
  /** The remedy. */
  readonly fix: string;
  /**
   * Source of the rule: `spec` (interface specification), `stac`, `rfc7946`, `headwater`, or an extension's schema URL.
   */
  readonly source: string;
}

/** Mark by which a `StacError` is recognised. `instanceof` would fail if this package is installed more than once. */
const BRAND = Symbol.for('headwater.stac.error');

/**
 * Error of the builders and of `assertValid`. The message names every fault. If the validator found the faults,
 * `findings` contains them as data.
 */
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
