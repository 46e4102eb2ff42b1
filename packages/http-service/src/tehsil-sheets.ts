import type { DataStore, StoredTable } from '@headwater/core';
import { prepared } from './prepared.ts';
import type { Reply } from './reply.ts';
import { isUnitSheet, sheetColumn } from './unit-sheets.ts';

/** All sheets of a tehsil as one answer. */
export interface TehsilSheets {
  /** Undefined where nothing is published of this tehsil. */
  of(tehsilId: number): Promise<Reply | undefined>;
}

type Answer = ReturnType<typeof prepared>;

interface Kept {
  /** Names and versions of the tables that it is made of. */
  readonly versions: string;
  readonly answer: Promise<Answer>;
  bytes: number;
}

/** Enough for more than a hundred tehsils of a usual size. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Makes each answer once for the versions that its tables have, and keeps those that were asked for last. */
export function createTehsilSheets(
  data: Pick<DataStore, 'tablesOf' | 'table'>,
  mostBytes: number = MOST_BYTES,
): TehsilSheets {
  const kept = new Map<number, Kept>();
  const keep = (tehsilId: number, entry: Kept): void => {
    kept.delete(tehsilId);
    kept.set(tehsilId, entry);
  };
  const dropOldest = (): void => {
    let bytes = [...kept.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [id, entry] of kept) {
      if (bytes <= mostBytes) return;
      kept.delete(id);
      bytes -= entry.bytes;
    }
  };
  const settle = async (tehsilId: number, entry: Kept): Promise<void> => {
    try {
      entry.bytes = (await entry.answer).prepared.bytes.byteLength;
      dropOldest();
    } catch {
      // Whoever asked is told; the next one asks anew.
      if (kept.get(tehsilId) === entry) kept.delete(tehsilId);
    }
  };
  const make = (tehsilId: number, names: readonly string[], versions: string): Promise<Answer> => {
    const entry: Kept = { versions, answer: sheets(data, tehsilId, names), bytes: 0 };
    keep(tehsilId, entry);
    void settle(tehsilId, entry);
    return entry.answer;
  };
  return {
    of: async (tehsilId) => {
      const heads = (await data.tablesOf(tehsilId)).filter(isUnitSheet);
      if (heads.length === 0) return undefined;
      const versions = JSON.stringify(heads.map(({ name, runId, version }) => [name, runId, version]));
      const there = kept.get(tehsilId);
      if (there?.versions !== versions)
        return await make(
          tehsilId,
          heads.map(({ name }) => name),
          versions,
        );
      keep(tehsilId, there);
      return await there.answer;
    },
  };
}

async function sheets(data: Pick<DataStore, 'table'>, tehsilId: number, names: readonly string[]): Promise<Answer> {
  const members: string[] = [];
  // One after the other: each holds its rows until they are text.
  for (const name of names) {
    const table = await data.table(tehsilId, name);
    if (table !== undefined) members.push(`${JSON.stringify(name)}:${rowsText(table)}`);
  }
  return prepared(`{${members.join(',')}}`, { cacheControl: 'private, no-cache', headers: { vary: 'X-API-Key' } });
}

/** Columns have their names trimmed and in lower case, as readers of the live system's sheets know them. */
function rowsText({ columns, rows }: StoredTable): string {
  const names = columns.map(({ name }) => [name, sheetColumn(name)] as const);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map(([name, shown]) => [shown, row[name] ?? null]))),
  );
}
