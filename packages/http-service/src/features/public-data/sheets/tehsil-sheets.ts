import type { TableCell } from '@headwater/core';
import type { CellTable, DataStore, TableHead, TableVersion } from '@headwater/core/ports';
import { createResponseCache, type PreparedReply } from '../../../caching/response-cache.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { isUnitSheet, sheetColumn } from '../schemas/unit-sheets.ts';
import { absent } from '../../../wire/absent.ts';

/** All sheets of a tehsil in one response. */
export interface TehsilSheets {
  /** Returns all sheets. Throws `not_found` if the tehsil has no published sheet. */
  of(tehsilId: number): Promise<Reply>;
}

/** Maximum number of cells that are read together, about two megabytes of text. */
const CELLS_AT_ONCE = 200_000;

/** Creates the LRU cache of responses. A response is built again for new versions of its tables. */
export function createTehsilSheets(
  data: Pick<DataStore, 'tableVersionsOf' | 'tablesOf' | 'cellTables'>,
  mostBytes?: number,
): TehsilSheets {
  const cache = createResponseCache<number>(mostBytes);
  return {
    of: async (tehsilId) => {
      const versions = await data.tableVersionsOf(tehsilId);
      if (versions.length === 0) throw absent('sheets', {});
      return await cache.of(tehsilId, { version: textOf(versions), make: () => sheets(data, tehsilId) });
    },
  };
}

function textOf(versions: readonly TableVersion[]): string {
  let text = '';
  for (const { name, runId, version } of versions) text += `${name.length} ${name} ${runId} ${version} `;
  return text;
}

async function sheets(data: Pick<DataStore, 'tablesOf' | 'cellTables'>, tehsilId: number): Promise<PreparedReply> {
  const heads = (await data.tablesOf(tehsilId)).filter(isUnitSheet);
  if (heads.length === 0) throw absent('sheets', {});
  const members: string[] = [];
  for (const names of inGroups(heads)) {
    for (const table of await data.cellTables(tehsilId, names))
      members.push(`${JSON.stringify(table.name)}:${rowsText(table)}`);
  }
  return prepared(`{${members.join(',')}}`);
}

/** Groups of tables that are read together. A large table is read alone, because all cells of a group are in memory. */
function inGroups(heads: readonly TableHead[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let cells = Infinity;
  for (const { name, rowCount, columns } of heads) {
    cells += rowCount * columns.length;
    if (cells <= CELLS_AT_ONCE) groups.at(-1)?.push(name);
    else [cells] = [rowCount * columns.length, groups.push([name])];
  }
  return groups;
}

/** JSON of the rows. Column names are trimmed and in lower case. If names are then equal, the last column counts. */
function rowsText({ columns, cells: rows }: CellTable): string {
  const at = new Map(columns.map(({ name }, column) => [sheetColumn(name), column]));
  const keys = Array.from(at, ([name, column], index) => ({
    column,
    text: `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
  }));
  let text = '';
  for (const cells of rows) {
    text += text === '' ? '{' : ',{';
    for (const key of keys) text += key.text + cellText(cells[key.column] ?? null);
    text += '}';
  }
  return `[${text}]`;
}

function cellText(cell: TableCell): string {
  return typeof cell === 'number' ? String(cell) : cell === null ? 'null' : JSON.stringify(cell);
}
