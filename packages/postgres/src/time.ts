/** SQL of a timestamptz column as ISO 8601 UTC text with milliseconds, independent of the session's settings. */
export function iso(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
