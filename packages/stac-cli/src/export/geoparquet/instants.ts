const UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00:00)$/i;

/** True for a time in UTC. */
export function isUtcTime(text: unknown): text is string {
  const [, seconds] = typeof text === 'string' ? (UTC.exec(text) ?? []) : [];
  return seconds !== undefined && Number.isFinite(Date.parse(`${seconds}Z`));
}

/** True for such a time that microseconds cannot tell. */
export function isFinerThanMicros(text: string): boolean {
  const [, , fraction = ''] = UTC.exec(text) ?? [];
  return /[1-9]/.test(fraction.slice(6));
}

/** Microseconds since 1970 of a time in UTC; what is finer is cut. */
export function microsOf(text: string): bigint {
  const [, seconds = '', fraction = ''] = UTC.exec(text) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
