import type { Finding } from './finding.ts';

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
