/**
 * Parses a Retry-After header, ms; undefined if it is absent or not valid. It is a number of seconds or an HTTP date (RFC 9110 10.2.3). A
 * date is compared with `sentMs`, the response's own `Date` if it has one: clocks of two machines differ.
 */
export function retryAfterMs(text: string | null | undefined, sentMs: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = httpDate(value);
  return until === undefined ? undefined : Math.max(0, until - sentMs);
}

/** Milliseconds since 1970 of an HTTP date in any of its three forms (RFC 9110 5.6.7); undefined for any other text. */
export function httpDate(text: string | null | undefined): number | undefined {
  const value = text?.trim() ?? '';
  // Engines accept many other formats as dates; an HTTP date begins with the name of a day.
  if (!/^[A-Z][a-z]+,? /.test(value)) return undefined;
  // The old format (asctime) has no zone and is in GMT too.
  const ms = Date.parse(value.replace(/ \d{4}$/, '$& GMT'));
  return Number.isNaN(ms) ? undefined : ms;
}
