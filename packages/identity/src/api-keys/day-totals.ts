import type { AccountDay, ApiKeyStore } from '../ports/api-keys.ts';

/** Account and day (UTC, `2026-01-31`). */
export type DayOfAccount = Pick<AccountDay, 'userId' | 'day'>;

/** Uses of an account's keys on a day. */
export interface CountedDay extends DayOfAccount {
  readonly count: number;
}

/** Write of uses to the store. */
export interface DayWrite {
  readonly uses: readonly CountedDay[];
  /** Writes the uses; false after a failure. Never rejects. */
  readonly store: () => Promise<boolean>;
  /** Called after the uses were added to the totals, even if the write failed. */
  readonly counted: () => void;
}

/** Stored uses of each account's keys by day, over all processes. */
export interface DayTotals {
  /** Stored uses on a day, without pending uses. */
  of(account: DayOfAccount): Promise<number>;
  /** Executes a write, and then reads the totals again. Never rejects. */
  write(write: DayWrite): Promise<void>;
}

/**
 * Creates the totals. Reads and writes of the same account never overlap, because otherwise a total could count a write
 * twice.
 */
export function createDayTotals(store: Pick<ApiKeyStore, 'usesOn'>): DayTotals {
  const totals = new Map<string, Promise<number>>();
  let newest = '';
  let writing: Promise<unknown> = Promise.resolve();
  const forgetBefore = (day: string): void => {
    if (day <= newest) return;
    newest = day;
    for (const name of totals.keys()) if (name < day) totals.delete(name);
  };
  const readAfter = async (before: Promise<unknown>, { day, userId }: DayOfAccount): Promise<number> => {
    await before;
    return (await store.usesOn(day, [userId]))[0]?.uses ?? 0;
  };
  const known = async (uses: readonly CountedDay[]): Promise<readonly KnownDay[]> => {
    const withTotals = await Promise.all(
      uses.map(async (use) => ({ ...use, total: await totals.get(nameOf(use))?.catch(() => undefined) })),
    );
    return withTotals.flatMap(({ total, ...use }) => (total === undefined ? [] : [{ ...use, total }]));
  };
  const make = async ({ uses, store: put, counted }: DayWrite): Promise<void> => {
    const before = await known(uses);
    const isWritten = await put();
    const after = await readAll(store, before);
    for (const use of before) {
      const [own, stored] = [use.total + use.count, after.get(nameOf(use))];
      // A failed write may have stored its uses; `Math.max` avoids counting them twice.
      const total = isWritten ? (stored ?? own) : Math.max(own, stored ?? 0);
      totals.set(nameOf(use), Promise.resolve(total));
    }
    counted();
  };
  return {
    of: (account) => {
      forgetBefore(account.day);
      const name = nameOf(account);
      const cached = totals.get(name);
      if (cached !== undefined) return cached;
      const total = readAfter(writing, account);
      totals.set(name, total);
      // After a failure, the total is removed from the cache, so that the next call reads again.
      total.catch(() => {
        if (totals.get(name) === total) totals.delete(name);
      });
      return total;
    },
    write: (write) => {
      const done = make(write);
      writing = done;
      return done;
    },
  };
}

interface KnownDay extends CountedDay {
  readonly total: number;
}

function nameOf({ userId, day }: DayOfAccount): string {
  return `${day} ${userId}`;
}

async function readAll(
  store: Pick<ApiKeyStore, 'usesOn'>,
  accounts: readonly DayOfAccount[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [day, ofDay] of Map.groupBy(accounts, ({ day }) => day)) {
    const userIds = ofDay.map(({ userId }) => userId);
    const rows = await store.usesOn(day, userIds).catch(() => undefined);
    for (const row of rows ?? []) found.set(nameOf(row), row.uses);
  }
  return found;
}
