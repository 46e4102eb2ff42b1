import type { DataStore, TableVersion } from '@headwater/core/ports';
import type { StoredTable } from '@headwater/core';
import { createResponseCache, type PreparedReply } from '../../../caching/response-cache.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { isUnitSheet, sheetColumn } from '../schemas/unit-sheets.ts';
import { absent } from '../../../wire/absent.ts';

/** All sheets of a tehsil in one response. */
export interface TehsilSheets {
  /** Returns the response for a tehsil. Throws `not_found` if the tehsil has no published sheet. */
  of(tehsilId: number): Promise<Reply>;
}

/** Creates the LRU cache of these responses. A response is built again after one of its tables has a new version. */
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

/** Text that is different for different versions. The length before each name makes sure that different names give different texts. */
function textOf(versions: readonly TableVersion[]): string {
  let text = '';
  for (const { name, runId, version } of versions) text += `${name.length} ${name} ${runId} ${version} `;
  return text;
}

async function sheets(data: Pick<DataStore, 'tablesOf' | 'table'>, tehsilId: number): Promise<PreparedReply> {
  const heads = (await data.tablesOf(tehsilId)).filter(isUnitSheet);
  if (heads.length === 0) throw absent('sheets', {});
  const members: string[] = [];
  // One table is read at a time, because all its rows are in memory until they are converted to text.
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
