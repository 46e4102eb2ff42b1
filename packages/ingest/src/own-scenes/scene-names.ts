import type { BandName } from '@headwater/core/pixel-plan';
import { isIsoDay } from '@headwater/core/values';

/** Facts from the names of a scene's files and folders, as far as present. */
export interface NamedFacts {
  /** Name of the product without `.SAFE`. */
  readonly product?: string;
  /** MGRS tile, such as `43QGV`. */
  readonly tile?: string;
  /** Day of acquisition, such as `2022-01-15`. */
  readonly day?: string;
  /** Time of acquisition (UTC), such as `05:11:31`. */
  readonly time?: string;
  /** Processing baseline, such as `05.09`. */
  readonly baseline?: string;
  /** Creation of the product, ISO 8601. */
  readonly madeAt?: string;
  /** Satellite, such as `S2A`. */
  readonly platform?: string;
  /** True for Level-2A; false for Level-1C, which is not corrected for the atmosphere. */
  readonly isL2A: boolean;
}

/** Names since December 2016 (ESA, "Naming convention of Sentinel-2 products"). */
const PRODUCT = /(S2[A-D])_MSIL(1C|2A)_(\d{8})T(\d{6})_N(\d{2})\.?(\d{2})_R\d{3}_T(\d{2}[A-Z]{3})_(\d{8})T(\d{6})/;
const INSTANT = /(?<!\d)(20\d{6})T(\d{6})(?!\d)/;
const DAY = /(?<!\d)(20\d{2})([-_.]?)(\d{2})\2(\d{2})(?!\d)/;
const TILE = /(?<![A-Za-z0-9])T?((?:0[1-9]|[1-5]\d|60)[C-HJ-NP-X][A-HJ-NP-Z]{2})(?![A-Za-z0-9])/;
const BASELINE = /_N(\d{2})\.?(\d{2})(?=_|\.|$)/;
const PLATFORM = /(?<![A-Za-z0-9])(S2[A-D])(?![A-Za-z0-9])/;

/**
 * Facts from the names of a file and its folders, innermost first. Day, time and platform come from the first name
 * that contains the name of a product, if there is one.
 */
export function factsOf(names: readonly string[]): NamedFacts {
  const first = (pattern: RegExp): RegExpExecArray | undefined =>
    names.map((name) => pattern.exec(name)).find((match) => match !== null) ?? undefined;
  const product = first(PRODUCT);
  const [, tile = product?.[7]] = first(TILE) ?? [];
  const [day, time] = dayOf(names, product);
  const baseline = first(BASELINE);
  const platform = product?.[1] ?? first(PLATFORM)?.[1];
  return {
    ...(product === undefined ? {} : { product: product[0] }),
    ...(tile === undefined ? {} : { tile }),
    ...(day === undefined ? {} : { day }),
    ...(time === undefined ? {} : { time }),
    ...(baseline === undefined ? {} : { baseline: `${baseline[1]}.${baseline[2]}` }),
    ...(product === undefined ? {} : { madeAt: `${isoDay(product[8])}T${isoTime(product[9])}Z` }),
    ...(platform === undefined ? {} : { platform }),
    isL2A: product === undefined ? first(/(?<![A-Za-z0-9])L1C(?![A-Za-z0-9])/) === undefined : product[2] === '2A',
  };
}

function dayOf(names: readonly string[], product: RegExpExecArray | undefined): readonly (string | undefined)[] {
  if (product !== undefined) return [isoDay(product[3]), isoTime(product[4])];
  for (const name of names) {
    const [, instantDay, time] = INSTANT.exec(name) ?? [];
    if (instantDay !== undefined && isIsoDay(isoDay(instantDay))) return [isoDay(instantDay), isoTime(time)];
    const [, year = '', , month = '', date = ''] = DAY.exec(name) ?? [];
    if (isIsoDay(`${year}-${month}-${date}`)) return [`${year}-${month}-${date}`, undefined];
  }
  return [];
}

const isoDay = (text = ''): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
const isoTime = (text = ''): string => `${text.slice(0, 2)}:${text.slice(2, 4)}:${text.slice(4, 6)}`;

const IDS: Readonly<Record<string, BandName>> = {
  b2: 'blue',
  b3: 'green',
  b4: 'red',
  b8: 'nir',
  b11: 'swir16',
  b12: 'swir22',
  scl: 'scl',
};
const BAND = /(?<![a-z0-9])(b0?[1-9]|b1[0-2]|b8a|scl|blue|green|red|nir|swir16|swir22)(?![a-z0-9])/g;
/** Files that no layer reads: quality masks, previews, aerosol, water vapour, true colour. */
const UNUSED = /(?<![a-z0-9])(?:aot|wvp|tci|pvi|dem|ddv|cld|cldprb|snw|snwprb|msk|detfoo|qualit|classi)(?![a-z0-9])/;

/** Band by the file name; `unused` if no layer reads it. Undefined for no or several bands. */
export function bandOf(fileName: string): BandName | 'unused' | undefined {
  const name = fileName.toLowerCase();
  if (UNUSED.test(name)) return 'unused';
  const found = new Set([...name.matchAll(BAND)].map(([, id = '']) => id.replace(/^b0/, 'b')));
  const [only] = found;
  if (found.size > 1 || only === undefined) return undefined;
  return IDS[only] ?? (only.startsWith('b') && only !== 'blue' ? 'unused' : (only as BandName));
}

/** Pixel size in metres by the names (`_B02_10m.jp2`, `R10m`). */
export function metresOf(names: readonly string[]): number | undefined {
  for (const name of names) {
    const [, metres] = /(?<![A-Za-z0-9])R?(10|20|60)m(?![A-Za-z0-9])/.exec(name) ?? [];
    if (metres !== undefined) return Number(metres);
  }
  return undefined;
}
