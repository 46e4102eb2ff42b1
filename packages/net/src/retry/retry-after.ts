/**
 * Parses a Retry-After header, ms; undefined if the header is absent or not valid. The value is a number of seconds or an HTTP date (RFC 9110
 * 10.2.3). The pause until a date is counted from `sentMs`. The clocks of two machines differ, so pass the response's `Date` as `sentMs` if the
 * response has one.
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
  // `Date.parse` also accepts many other formats. So the text must begin with the name of a day, as every HTTP date
  // does.
  if (!/^[A-Z][a-z]+,? /.test(value)) return undefined;
  // The old format (asctime) states no time zone, but its time is in GMT. So GMT is added.
  const ms = Date.parse(value.replace(/ \d{4}$/, '$& GMT'));
  return Number.isNaN(ms) ? undefined : ms;
}
