import type { DataStore, TableVersion } from '@headwater/core/ports';
import type { StoredTable } from '@headwater/core';
import { createResponseCache, type PreparedReply } from '../../../caching/byte-limited-cache.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { isUnitSheet, sheetColumn } from '../schemas/unit-sheets.ts';
import { absent } from '../../../wire/absent.ts';

/** All sheets of a tehsil in one response. */
export interface TehsilSheets {
  /** Throws `not_found` if the tehsil has no published sheet. */
  of(tehsilId: number): Promise<Reply>;
}

/** Creates the LRU cache of these responses; each is built once for the versions of its tables. */
export function createTehsilSheets(
  data: Pick<DataStore, 'tableVersionsOf' | 'tablesOf' | 'table'>,
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

/** Text that differs if any version differs. The length before each name keeps different names from giving the same text. */
function textOf(versions: readonly TableVersion[]): string {
  let text = '';
  for (const { name, runId, version } of versions) text += `${name.length} ${name} ${runId} ${version} `;
  return text;
}

async function sheets(data: Pick<DataStore, 'tablesOf' | 'table'>, tehsilId: number): Promise<PreparedReply> {
  const heads = (await data.tablesOf(tehsilId)).filter(isUnitSheet);
  if (heads.length === 0) throw absent('sheets', {});
  const members: string[] = [];
  // One table at a time, because the rows of a table are in memory until they are text.
  for (const { name } of heads) {
    const table = await data.table(tehsilId, name);
    if (table !== undefined) members.push(`${JSON.stringify(name)}:${rowsText(table)}`);
  }
  return prepared(`{${members.join(',')}}`);
}

/** Rows as JSON; column names are trimmed and in lower case, as clients expect. */
function rowsText({ columns, rows }: StoredTable): string {
  const names = columns.map(({ name }) => [name, sheetColumn(name)] as const);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map(([name, shown]) => [shown, row[name] ?? null]))),
  );
}
