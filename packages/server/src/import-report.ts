import { writeFile } from 'node:fs/promises';
import { countOf } from '@headwater/core/values';
import type { ImportReport, TableCell } from '@headwater/core';
import { csvText, importReportBody } from '@headwater/http-service';

const MOST_SHOWN = 20;

/** Outcome of one file. */
export interface ImportOutcome {
  readonly fileName: string;
  readonly isTrial: boolean;
  /** Report of the import; undefined if the whole file is broken. */
  readonly report?: ImportReport;
  /** Reason if the whole file is broken. */
  readonly problem?: string;
}

/** Summary of a file: counts, then the first refused and repaired rows. */
export function outcomeLines({ fileName, isTrial, report, problem }: ImportOutcome): readonly string[] {
  if (report === undefined) return [`${fileName}: broken, and nothing of it was stored: ${problem ?? 'unreadable'}`];
  const { stored, unchanged, removed = 0, refused, refusedCount, repaired, repairedCount = repaired.length } = report;
  const storedText = isTrial ? 'would be stored' : 'stored';
  const counts = [
    `${stored} ${storedText}`,
    `${unchanged} unchanged`,
    ...(removed === 0 ? [] : [`${removed} ${isTrial ? 'would be removed' : 'removed'}`]),
    `${refusedCount} refused`,
    `${repairedCount} repaired`,
  ];
  return [
    `${fileName}: ${counts.join(', ')}`,
    ...refused
      .slice(0, MOST_SHOWN)
      .map(({ source, row, field, problem: why }) => `  refused ${source} ${row}: ${fieldText(field)}${why}`),
    ...rest(refusedCount - Math.min(refused.length, MOST_SHOWN), 'refused'),
    ...repaired.slice(0, MOST_SHOWN).map(({ source, row, repair }) => `  repaired ${source} ${row}: ${repair}`),
    ...rest(repairedCount - Math.min(repaired.length, MOST_SHOWN), 'repaired'),
  ];
}

const fieldText = (field: string | undefined): string => (field === undefined ? '' : `${field}: `);

const rest = (count: number, what: string): readonly string[] =>
  count > 0 ? [`  and ${countOf(count, 'more row')} ${what}; --report FILE lists up to 1,000`] : [];

/**
 * Writes the outcome of the files: JSON with the report of each file, or CSV with a line per broken file and per
 * refused or repaired row.
 */
export async function writeReport(path: string, outcomes: readonly ImportOutcome[]): Promise<void> {
  await writeFile(path, /\.csv$/i.test(path) ? csvOf(outcomes) : `${JSON.stringify(outcomes.map(jsonOf), null, 2)}\n`);
}

function jsonOf({ fileName, isTrial, report, problem }: ImportOutcome): object {
  if (report === undefined) return { file_name: fileName, dry_run: isTrial, problem };
  return importReportBody(report, isTrial);
}

function csvOf(outcomes: readonly ImportOutcome[]): string {
  const rows = outcomes.flatMap(({ fileName, report, problem = '' }): (readonly TableCell[])[] => {
    if (report === undefined) return [[fileName, 'broken', '', null, '', problem]];
    return [
      ...report.refused.map((row) => [fileName, 'refused', row.source, row.row, row.field ?? '', row.problem]),
      ...report.repaired.map((row) => [fileName, 'repaired', row.source, row.row, '', row.repair]),
    ];
  });
  return csvText(['file', 'what', 'source', 'row', 'field', 'problem'], rows);
}
