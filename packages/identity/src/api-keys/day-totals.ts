import type { ApiKeyStore } from '../ports/api-keys.ts';

/** A key on a day (UTC, `2026-01-31`). */
export interface KeyDay {
  readonly prefix: string;
  readonly day: string;
}

/** Uses of a key on a day. */
export interface CountedDay extends KeyDay {
  readonly count: number;
}

/** A write of uses to the store. */
export interface DayWrite {
  readonly uses: readonly CountedDay[];
  /** Writes them; false if that failed. Never rejects. */
  readonly store: () => Promise<boolean>;
  /** Called when the totals include them, also if they could not be written. */
  readonly counted: () => void;
}

/** Uses of keys by day, by all processes, as the store has them: read when a total is first asked for, and after each write. */
export interface DayTotals {
  /** Uses of a key's day that are written; uses that are still to be written are not part of it. */
  of(key: KeyDay): Promise<number>;
  /** Makes a write; what other processes wrote is read with it. Never rejects. */
  write(write: DayWrite): Promise<void>;
}

/**
 * Builds the totals; those of days that are over are removed. No read of a total overlaps a write: otherwise it would be unknown whether the
 * total that was read includes the uses of that write.
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
  const readAfter = async (before: Promise<unknown>, { day, prefix }: KeyDay): Promise<number> => {
    await before;
    return (await store.usesOn(day, [prefix]))[0]?.uses ?? 0;
  };
  const known = async (uses: readonly CountedDay[]): Promise<readonly KnownDay[]> => {
    const asked = await Promise.all(
      uses.map(async (use) => ({ ...use, total: await totals.get(nameOf(use))?.catch(() => undefined) })),
    );
    return asked.flatMap(({ total, ...use }) => (total === undefined ? [] : [{ ...use, total }]));
  };
  const make = async ({ uses, store: put, counted }: DayWrite): Promise<void> => {
    const before = await known(uses);
    const isWritten = await put();
    const after = await readAll(store, before);
    for (const use of before) {
      const [own, stored] = [use.total + use.count, after.get(nameOf(use))];
      // A write that failed may have been stored all the same: what is in the store is not counted twice.
      const total = isWritten ? (stored ?? own) : Math.max(own, stored ?? 0);
      totals.set(nameOf(use), Promise.resolve(total));
    }
    counted();
  };
  return {
    of: (key) => {
      forgetBefore(key.day);
      const name = nameOf(key);
      const there = totals.get(name);
      if (there !== undefined) return there;
      const total = readAfter(writing, key);
      totals.set(name, total);
      // Those who wait for it get the error; the next one reads again.
      total.catch(() => {
        if (totals.get(name) === total) totals.delete(name);
      });
      return total;
    },
    write: (write) => {
      const made = make(write);
      writing = made;
      return made;
    },
  };
}

interface KnownDay extends CountedDay {
  /** Before the write. */
  readonly total: number;
}

function nameOf({ prefix, day }: KeyDay): string {
  return `${day} ${prefix}`;
}

/** The totals of these keys, by name; none of a day that cannot be read. */
async function readAll(
  store: Pick<ApiKeyStore, 'usesOn'>,
  keys: readonly KeyDay[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [day, ofDay] of Map.groupBy(keys, (key) => key.day)) {
    const prefixes = ofDay.map(({ prefix }) => prefix);
    const rows = await store.usesOn(day, prefixes).catch(() => undefined);
    for (const row of rows ?? []) found.set(nameOf(row), row.uses);
  }
  return found;
}
