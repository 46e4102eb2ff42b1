/** Marks errors of all copies of this package, because `instanceof` works for one copy only. */
const BRAND = Symbol.for('headwater.cql2.error');

/**
 * Reason for a refusal. `syntax`: the filter is invalid; `unsupported`: valid, but not supported; `limit`: too large.
 */
export type Cql2ErrorCode = 'syntax' | 'unsupported' | 'limit';

/** Place and reason of a refusal. */
export interface Cql2ErrorDetails {
  readonly code: Cql2ErrorCode;
  /** Offset in a CQL2 text (UTF-16 units); null for CQL2-JSON. */
  readonly position: number | null;
  /** JSON pointer in CQL2-JSON; empty for the whole filter, null for a CQL2 text. */
  readonly pointer: string | null;
  readonly found: string;
  readonly expected: string;
  readonly remedy: string;
}

/** A refused filter. The message has the place, the cause and the remedy. */
export class Cql2Error extends Error {
  override readonly name = 'Cql2Error';
  readonly [BRAND] = true as const;
  readonly details: Cql2ErrorDetails;

  constructor(details: Cql2ErrorDetails) {
    super(
      `The CQL2 filter is refused ${place(details)}: found ${details.found}, expected ${details.expected}. ${details.remedy}`,
    );
    this.details = details;
  }
}

/** True for a `Cql2Error` of any copy of this package. */
export function isCql2Error(error: unknown): error is Cql2Error {
  return typeof error === 'object' && error !== null && BRAND in error;
}

function place({ position, pointer }: Cql2ErrorDetails): string {
  if (position !== null) return `at character ${position + 1}`;
  return pointer === null || pointer === '' ? 'as a whole' : `at ${pointer}`;
}
