const UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})0*)?(?:Z|\+00:00)$/i;

/** True for a time in UTC that microseconds can tell. */
export function isMicros(text: unknown): boolean {
  const [, seconds] = typeof text === 'string' ? (UTC.exec(text) ?? []) : [];
  return seconds !== undefined && Number.isFinite(Date.parse(`${seconds}Z`));
}

/** Microseconds since 1970 of such a time. */
export function microsOf(text: string): bigint {
  const [, seconds = '', fraction = ''] = UTC.exec(text) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}
