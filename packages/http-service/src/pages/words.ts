import { byLanguage, type Language } from '../wire/words.ts';
import { type Say, sayIn } from './texts.ts';

const day = (locale: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayIn = byLanguage(({ dates }) => day(dates));

/** `2022-07-01T00:00:00Z` -> `1 July 2022`; '' for other texts. */
export function dayText(instant: string | undefined, language: Language = 'en'): string {
  const time = Date.parse(instant ?? '');
  return Number.isNaN(time) ? '' : dayIn(language).format(time);
}

const minute = (locale: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' });
const minuteIn = byLanguage(({ dates }) => minute(dates));

/** `2022-07-01T08:30:00Z` -> `1 Jul 2022, 08:30 UTC`; '' for other texts. */
export function momentText(instant: string, language: Language): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? '' : `${minuteIn(language).format(time)} UTC`;
}

/** First and last day of a period, such as `1 July 2022 to 30 June 2023`; '' if both are unknown. */
export function periodText(
  { start, end }: { readonly start: string | undefined; readonly end: string | undefined },
  language: Language,
): string {
  const [from, to] = [dayText(start, language), dayText(end, language)];
  if (from === '' || to === '' || from === to) return from === '' ? to : from;
  return sayIn(language)('period', { from, to });
}

/** `longitude 78.500 to 78.540, latitude 17.480 to 17.520 degrees`; '' without a box. */
export function boxText(box: readonly number[] | undefined, language: Language): string {
  if (box?.length !== 4 || !box.every(Number.isFinite)) return '';
  const [west = '', south = '', east = '', north = ''] = box.map((degrees) => degrees.toFixed(3));
  return sayIn(language)('box', { west, south, east, north });
}

/** Years in which a period begins and ends, such as `2022-2023`; '' if both are unknown. */
export function yearsText(start: string | undefined, end: string | undefined): string {
  const years = [start, end].flatMap((instant) => {
    const time = Date.parse(instant ?? '');
    return Number.isNaN(time) ? [] : [String(new Date(time).getUTCFullYear())];
  });
  return [...new Set(years)].join('-');
}

/** `74553` -> `75 kB`, in powers of 1000. */
export function sizeText(bytes: number, language: Language): string {
  if (bytes < 1000) return sayIn(language)('bytes', { count: String(bytes) });
  const [unit, size] =
    bytes < 999_500 ? ['kB', bytes / 1e3] : bytes < 999_500_000 ? ['MB', bytes / 1e6] : ['GB', bytes / 1e9];
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}

/** `45 seconds`, `12 minutes`, or from two hours `3.5 hours`. Seconds and minutes are rounded up. */
export function durationText(seconds: number, say: Say): string {
  if (seconds <= 1) return say('oneSecond');
  if (seconds < 90) return say('seconds', { count: String(Math.ceil(seconds)) });
  return seconds < 7200
    ? say('minutes', { count: String(Math.ceil(seconds / 60)) })
    : say('hours', { count: (seconds / 3600).toFixed(1) });
}

/** Percent with one decimal; positive values that round to zero are `< 0.1 %`. */
export function shareText(percent: number): string {
  return percent > 0 && percent < 0.05 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
}

/** `west_singhbhum` -> `West Singhbhum`, for places without a known name. */
export function slugText(slug: string): string {
  return slug.replaceAll('_', ' ').replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
}
