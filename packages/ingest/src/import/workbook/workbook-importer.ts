import { DATA_LIMITS } from '@headwater/core/runs';
import type { DataStore } from '@headwater/core/ports';
import { ImportNotes } from '../shared/import-notes.ts';
import type { PublishedTable, StoredTable, TableColumn } from '@headwater/core';
import { type Importer, type ImportRequest, badFile, throwIfStopped, type ImportDeps } from '../shared/import-deps.ts';
import { importPlace } from '../shared/import-place.ts';
import { publishImport } from '../shared/publish-import.ts';
import { openWorkbook, type WorkbookSheet } from './open-workbook.ts';
import { changedRows, readSheet, type SheetTask } from './read-sheet.ts';
import { INDICATOR_SHEETS, type SheetForm, sheetFormOf, sheetFormOfTable } from './sheet-list.ts';

const KIND = 'workbook';
/** Endings of files that the importer reads. */
export const WORKBOOK_ENDINGS = ['.xlsx'];

/**
 * Creates an importer of a tehsil's statistics workbook (`{district}_{tehsil}.xlsx`). Each changed sheet replaces the
 * stored sheet of its name.
 */
export function workbookImporter(deps: ImportDeps): Importer {
  return {
    kind: KIND,
    endings: WORKBOOK_ENDINGS,
    run: async (request) => {
      throwIfStopped(request);
      const { tehsil } = await importPlace(deps.stores.places, request, (stem) => stem);
      const findings = new ImportNotes();
      const read = await readTables(request, deps, { tehsilId: tehsil.id, findings });
      throwIfStopped(request);
      if (read.changed.length > 0 && request.isTrial !== true) {
        const make = async () => ({ items: [], layers: [], tables: read.changed, timings: {} });
        await publishImport(deps, { kind: KIND, request, tehsilId: tehsil.id, make });
      }
      const { stored, unchanged } = read;
      return { kind: KIND, fileName: request.fileName, stored, unchanged, ...findings.report };
    },
  };
}

interface ReadTables {
  readonly changed: readonly PublishedTable[];
  readonly stored: number;
  readonly unchanged: number;
}

async function readTables(
  request: ImportRequest,
  { stores: { data, lookups } }: ImportDeps,
  { tehsilId, findings }: Pick<SheetTask, 'tehsilId' | 'findings'>,
): Promise<ReadTables> {
  const uids = new Set(await lookups.mwsUids(tehsilId));
  const workbook = await openWorkbook(request);
  try {
    const [changed, names]: [PublishedTable[], Set<string>] = [[], new Set()];
    let [stored, unchanged, cells] = [0, 0, 0];
    const spend = (count: number): void => {
      cells += count;
      if (cells > DATA_LIMITS.values) throw badFile(request, `it has more than ${DATA_LIMITS.values} cells; split it.`);
    };
    for (const sheet of workbook.sheets) {
      const form = await formToRead(sheet, { data, tehsilId, names, findings });
      if (form === undefined) continue;
      const before = await data.table(tehsilId, form.name);
      const types = new Map(before?.columns.map(({ name, type }) => [name, type]));
      const task = { form, types, source: sheet.name, tehsilId, uids, findings, spend };
      const table = await readSheet(sheet.rows(), task);
      if (table === undefined) continue;
      const count = changesOf(table, before);
      stored += count.changed;
      unchanged += table.rows.length - count.changed;
      if (!count.isSame) changed.push(table, ...(await emptied(data, table)));
    }
    return { changed, stored, unchanged };
  } finally {
    workbook.close();
  }
}

/**
 * Returns indicator tables without rows if their yearly values are replaced, because the indicators are then outdated.
 */
async function emptied(
  data: Pick<DataStore, 'tableHead'>,
  { name, tehsilId }: PublishedTable,
): Promise<readonly PublishedTable[]> {
  const [sheet] = [...INDICATOR_SHEETS].find(([, years]) => years === name) ?? [];
  const head = sheet === undefined ? undefined : await data.tableHead(tehsilId, sheet);
  if (head === undefined || head.rowCount === 0) return [];
  return [{ name: head.name, tehsilId, key: head.key, columns: head.columns, rows: [] }];
}

interface SheetLookup extends Pick<SheetTask, 'tehsilId' | 'findings'> {
  readonly data: Pick<DataStore, 'tableHead'>;
  /** Names of the sheets so far, in lower case. */
  readonly names: Set<string>;
}

/**
 * Form of a sheet. Returns undefined, and adds a note, for an unknown or repeated sheet and for indicators. The
 * store is queried once for each name that is not in `SHEET_FORMS`.
 */
async function formToRead(
  { name }: WorkbookSheet,
  { data, tehsilId, names, findings }: SheetLookup,
): Promise<SheetForm | undefined> {
  const leaveOut = (problem: string): undefined => {
    findings.refuse({ source: name, row: 1, problem: `The sheet was left out. ${problem}.` });
  };
  const years = INDICATOR_SHEETS.get(name.trim().toLowerCase());
  if (years !== undefined) return leaveOut(`Its values are computed from ${years}; correct and import that sheet`);
  const known = sheetFormOf(name);
  const lowerName = (known?.name ?? name).toLowerCase();
  if (names.has(lowerName)) return leaveOut('Another sheet of the workbook has the same name; rename one of them');
  names.add(lowerName);
  const head = known === undefined ? await data.tableHead(tehsilId, name) : undefined;
  const form = known ?? (head && sheetFormOfTable(head));
  return form ?? leaveOut('Its name is unknown; rename it to one of the known sheets');
}

function changesOf(
  { key, columns, rows }: PublishedTable,
  before: StoredTable | undefined,
): { readonly changed: number; readonly isSame: boolean } {
  const changed = changedRows(rows, before?.rows ?? [], key);
  const isSame = changed === 0 && before?.rows.length === rows.length && titlesOf(before.columns) === titlesOf(columns);
  return { changed, isSame };
}

const titlesOf = (columns: readonly TableColumn[]): string =>
  JSON.stringify(columns.map(({ name, type }) => [name, type]));
