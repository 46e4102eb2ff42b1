import type { DataStore, TableVersion } from '@headwater/core/ports';
import type { StoredTable } from '@headwater/core';
import { createResponseCache, type PreparedReply } from '../../../caching/byte-limited-cache.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { isUnitSheet, sheetColumn } from '../schemas/unit-sheets.ts';
import { absent } from '../../../wire/absent.ts';

/** All sheets of a tehsil as one answer. */
export interface TehsilSheets {
  /** Throws `not_found` where no sheet is published of this tehsil. */
  of(tehsilId: number): Promise<Reply>;
}

/** Makes each answer once for the versions that its tables have, and keeps those that were asked for last. */
export function createTehsilSheets(
  data: Pick<DataStore, 'tableVersionsOf' | 'tablesOf' | 'table'>,
  mostBytes?: number,
): TehsilSheets {
  const kept = createResponseCache<number>(mostBytes);
  return {
    of: async (tehsilId) => {
      const versions = await data.tableVersionsOf(tehsilId);
      if (versions.length === 0) throw absent('sheets', {});
      return await kept.of(tehsilId, { version: textOf(versions), make: () => sheets(data, tehsilId) });
    },
  };
}

/** Another text for other versions: each name stands behind its length. */
function textOf(versions: readonly TableVersion[]): string {
  let text = '';
  for (const { name, runId, version } of versions) text += `${name.length} ${name} ${runId} ${version} `;
  return text;
}

async function sheets(data: Pick<DataStore, 'tablesOf' | 'table'>, tehsilId: number): Promise<PreparedReply> {
  const heads = (await data.tablesOf(tehsilId)).filter(isUnitSheet);
  if (heads.length === 0) throw absent('sheets', {});
  const members: string[] = [];
  // One after the other: each holds its rows until they are text.
  for (const { name } of heads) {
    const table = await data.table(tehsilId, name);
    if (table !== undefined) members.push(`${JSON.stringify(name)}:${rowsText(table)}`);
  }
  return prepared(`{${members.join(',')}}`);
}

/** Columns have their names trimmed and in lower case, as readers of the live system's sheets know them. */
function rowsText({ columns, rows }: StoredTable): string {
  const names = columns.map(({ name }) => [name, sheetColumn(name)] as const);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map(([name, shown]) => [shown, row[name] ?? null]))),
  );
}
