/**
 * Parses a Retry-After header (seconds or HTTP date; RFC 9110 10.2.3), ms; undefined if absent or invalid. `sentMs`:
 * time of the response by the server's clock (`Date`), because clocks differ.
 */
export function retryAfterMs(text: string | null | undefined, sentMs: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = httpDate(value);
  return until === undefined ? undefined : Math.max(0, until - sentMs);
}

/** Epoch ms of an HTTP date in any of its three formats (RFC 9110 5.6.7); undefined for other texts. */
export function httpDate(text: string | null | undefined): number | undefined {
  const value = text?.trim() ?? '';
  // Other texts are refused here, because `Date.parse` accepts many more formats. Every HTTP date begins with the name
  // of a weekday.
  if (!/^[A-Z][a-z]+,? /.test(value)) return undefined;
  // The old format (asctime) is in GMT but states no time zone.
  const ms = Date.parse(value.replace(/ \d{4}$/, '$& GMT'));
  return Number.isNaN(ms) ? undefined : ms;
}
