/**
 * `error`: does not conform. `warning`: conforms, but often causes problems. `info`: a useful fact, or an unchecked
 * part.
 */
export type Severity = 'error' | 'warning' | 'info';

/** A finding about a document. */
export interface Finding {
  /** JSON pointer (RFC 6901); '' is the whole document. */
  readonly pointer: string;
  /** Stable id of the rule, such as `bbox.matches-geometry`. */
  readonly rule: string;
  readonly severity: Severity;
  /** Found value, shortened. */
  readonly got: string;
  readonly expected: string;
  /** Remedy. */
  readonly fix: string;
  /** Source of the rule: `spec` (interface specification), `stac`, `rfc7946`, `headwater`, or an extension's URL. */
  readonly source: string;
}

/** `instanceof` would fail if the package is installed more than once. */
const BRAND = Symbol.for('headwater.stac.error');

/**
 * Thrown for invalid values, for example by builders and `assertValid`. `findings` contains the errors of the
 * validator, which the message lists too. If the validator did not run, `findings` is empty.
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
