/**
 * Parses a Retry-After header, ms; undefined if it is absent or not valid. Its value is a number of seconds or an HTTP date (RFC 9110 10.2.3). A
 * date is compared with `sentMs`. Pass the response's `Date` as `sentMs` if there is one, because the clocks of two machines differ.
 */
export function retryAfterMs(text: string | null | undefined, sentMs: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = httpDate(value);
  return until === undefined ? undefined : Math.max(0, until - sentMs);
}

/** Converts an HTTP date in any of its three formats (RFC 9110 5.6.7) to milliseconds since 1970; undefined for any other text. */
export function httpDate(text: string | null | undefined): number | undefined {
  const value = text?.trim() ?? '';
  // `Date.parse` accepts many other formats; an HTTP date begins with the name of a day.
  if (!/^[A-Z][a-z]+,? /.test(value)) return undefined;
  // The old format (asctime) states no time zone; its time is also in GMT.
  const ms = Date.parse(value.replace(/ \d{4}$/, '$& GMT'));
  return Number.isNaN(ms) ? undefined : ms;
}
