import { placeSlug, type TehsilNames } from '@headwater/core';
import type { Language } from '../../../wire/words.ts';
import { paths } from '../../../wire/paths.ts';

type Names = Pick<TehsilNames, 'state' | 'district' | 'tehsil'>;

/** Names of a micro-watershed and its tehsil. */
export interface MwsNames {
  readonly names: Names;
  readonly uid: string;
}

/** Address of the report of a micro-watershed. Without `language`, the browser's language decides. */
export function mwsReportAddress(base: string, { names, uid }: MwsNames, language?: Language): string {
  return `${base}${paths.mwsReport}?${queryOf(names, { uid, ...langOf(language) })}`;
}

/** Address of the report of a tehsil. */
export function tehsilReportAddress(base: string, names: Names, language?: Language): string {
  return `${base}${paths.tehsilReport}?${queryOf(names, langOf(language))}`;
}

/** Address of the report about a tehsil's resources. */
export function resourceReportAddress(base: string, names: Names, language?: Language): string {
  return `${base}${paths.resourceReport}?${queryOf(names, langOf(language))}`;
}

/** Address of the workbook with the tables of a tehsil. */
export function workbookAddress(base: string, names: Names): string {
  return `${base}${paths.statsWorkbook}?${queryOf(names, {})}`;
}

function langOf(lang: Language | undefined): Readonly<Record<string, string>> {
  return lang === undefined ? {} : { lang };
}

function queryOf({ state, district, tehsil }: Names, rest: Readonly<Record<string, string>>): string {
  const place = { state: placeSlug(state), district: placeSlug(district), block: placeSlug(tehsil) };
  return new URLSearchParams({ ...place, ...rest }).toString();
}
