const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True for a valid calendar day in ISO 8601 format, `2017-07-01`. */
export function isIsoDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
