import type { MapLayer } from '@headwater/core/ports';
import { ogcError } from '../protocol/ogc-error.ts';

/** Time dimension of a layer: its interval. */
export const timeExtent = ({ interval }: Pick<MapLayer, 'interval'>): string | null =>
  interval === null
    ? null
    : interval.start === interval.end
      ? interval.start
      : `${interval.start}/${interval.end}/PT1S`;

/** Throws `InvalidDimensionValue` for a time outside of the interval, and for a text that is no time. */
export function checkTime({ name, interval }: MapLayer, time: string | undefined): void {
  if (time === undefined || time === '' || time === 'current' || time === 'default') return;
  const refuse = (problem: string): Error =>
    ogcError('InvalidDimensionValue', 'time', `time: ${JSON.stringify(time.slice(0, 80))} ${problem}`);
  for (const value of time.split(',')) {
    const [first = '', last = first] = value.split('/');
    const [from, to] = [momentsOf(first)?.from, momentsOf(last)?.to];
    if (from === undefined || to === undefined || from > to)
      throw refuse('is not a time or an interval; send one such as 2024-07-01 or 2024-07-01/2025-06-30');
    if (interval === null) continue;
    if (to < Date.parse(interval.start) || from > Date.parse(interval.end))
      throw refuse(
        `is outside of the time of the layer ${name}; send a time from ${interval.start} to ${interval.end}`,
      );
  }
}

const FORM = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)Z?)?)?)?$/;

/** First and last millisecond of a time, which may be a year, month or day; undefined for other texts. */
function momentsOf(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, year, month, day, clock] = FORM.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const from = Date.parse(`${year}-${month ?? '01'}-${day ?? '01'}T${clock ?? '00:00'}Z`);
  if (Number.isNaN(from)) return undefined;
  if (clock !== undefined) return { from, to: from };
  const end = new Date(from);
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1);
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCFullYear(end.getUTCFullYear() + 1);
  return { from, to: end.getTime() - 1 };
}
