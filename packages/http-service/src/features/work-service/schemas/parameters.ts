import { RequestError } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import { isGiven, numberOf, shown, unquoted, yearOf } from './texts.ts';

/** Names under which a year may be sent. The first name takes precedence. */
const YEARS = ['end_year', 'start_year', 'year'] as const;
const SIDES = ['west', 'south', 'east', 'north'] as const;

/** Parsed parameters of a call. The limits of region, year and scheme are checked later. */
export interface ExportParameters {
  /** West, south, east, north; degrees. */
  readonly corners: readonly number[];
  /** Year in which the hydrological year begins. */
  readonly year: number | undefined;
  /** Name under which the year was sent; default `year`. */
  readonly yearName: (typeof YEARS)[number];
  /** Name in lower case. If undefined, the default scheme. */
  readonly scheme: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;
type Faults = Record<string, string[]>;

/** Reads the parameters of a call. Throws `RequestError` with the names of all wrong parameters. */
export function readParameters(members: Members): ExportParameters {
  const faults: Faults = {};
  const corners = readRegion(members, faults);
  const year = readYear(members, faults);
  const scheme = readScheme(members, faults);
  if (corners === undefined || Object.keys(faults).length > 0) throw new RequestError(faults);
  return { corners, ...year, scheme };
}

/** The region, years and scheme of a call, if present. */
export interface PresentParameters extends Pick<ExportParameters, 'scheme'> {
  readonly corners: readonly number[] | undefined;
  readonly years: readonly { readonly year: number; readonly yearName: ExportParameters['yearName'] }[];
}

/** Reads the parameters that are present. Throws `RequestError` with the names of unreadable parameters. */
export function readPresent(members: Members): PresentParameters {
  const faults: Faults = {};
  const has = (names: readonly string[]): boolean => names.some((name) => isGiven(own(members, name)));
  const corners = has(['region', ...SIDES]) ? readRegion(members, faults) : undefined;
  if (has(YEARS)) readYear(members, faults);
  const scheme = readScheme(members, faults);
  if (Object.keys(faults).length > 0) throw new RequestError(faults);
  const years = YEARS.flatMap((yearName) => {
    const year = isGiven(own(members, yearName)) ? yearOf(own(members, yearName)) : undefined;
    return year === undefined ? [] : [{ year, yearName }];
  });
  return { corners, years, scheme };
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function readRegion(members: Members, faults: Faults): readonly number[] | undefined {
  const region = own(members, 'region');
  if (isGiven(region)) {
    const corners = cornersOf(region);
    if (corners === undefined) faults['region'] = [`${sentences.notRegion} Sent: ${shown(region)}`];
    return corners;
  }
  const sides = SIDES.map((side) => own(members, side));
  if (sides.some(isGiven)) return readSides(sides, faults);
  faults['region'] = [isGiven(own(members, 'roi_asset')) ? sentences.noRoiAsset : sentences.noRegion];
  return undefined;
}

function readSides(sides: readonly unknown[], faults: Faults): readonly number[] | undefined {
  const corners = sides.map(numberOf);
  SIDES.forEach((side, at) => {
    if (corners[at] === undefined) faults[side] = [isGiven(sides[at]) ? sentences.notNumber : sentences.required];
  });
  return corners.every((corner) => corner !== undefined) ? corners : undefined;
}

/**
 * Reads four numbers from a list, or from a text with commas, with or without brackets. Undefined for other values and
 * other counts.
 */
function cornersOf(region: unknown): readonly number[] | undefined {
  const list = typeof region === 'string' ? listOf(region) : region;
  if (!Array.isArray(list) || list.length !== SIDES.length) return undefined;
  const corners = list.map(numberOf);
  return corners.every((corner) => corner !== undefined) ? corners : undefined;
}

const LONGEST_REGION = 1000;

function listOf(text: string): readonly string[] | undefined {
  if (text.length > LONGEST_REGION) return undefined;
  const [, inner] =
    /^(?:\[(.*)\]|\((.*)\)|([^[\]()]*))$/s.exec(unquoted(text))?.filter((part) => part !== undefined) ?? [];
  return inner?.split(',');
}

function readYear(members: Members, faults: Faults): Pick<ExportParameters, 'year' | 'yearName'> {
  const sent = YEARS.filter((name) => isGiven(own(members, name)));
  for (const name of sent) {
    if (yearOf(own(members, name)) === undefined) faults[name] = [sentences.notYear(shown(own(members, name)))];
  }
  const [yearName = 'year'] = sent;
  return { year: yearOf(own(members, yearName)), yearName };
}

function readScheme(members: Members, faults: Faults): string | undefined {
  const scheme = own(members, 'base_scheme');
  if (!isGiven(scheme)) return undefined;
  if (typeof scheme === 'string' && scheme.length <= 200) return unquoted(scheme).toLowerCase();
  faults['base_scheme'] = [sentences.notText];
  return undefined;
}
