import type { ApiKeyStore } from '../ports/api-keys.ts';

/** A key on a day (UTC, `2026-01-31`). */
export interface KeyDay {
  readonly prefix: string;
  readonly day: string;
}

/** How often keys were used on a day, by all processes, as the store has it: read when it is first asked for, and after each write. */
export interface DayTotals {
  /** What is written of a key's day; uses that are still to be written are not in it. */
  of(key: KeyDay): Promise<number>;
  /** Uses were written; of those that somebody asks for, what others wrote is read with them. Uses that could not be written count here. */
  after(uses: readonly (KeyDay & { readonly count: number })[], isWritten: boolean): Promise<void>;
}

/** Builds the totals; those of days that are over are forgotten. */
export function createDayTotals(store: Pick<ApiKeyStore, 'usesOn'>): DayTotals {
  const totals = new Map<string, Promise<number>>();
  let newest = '';
  const nameOf = ({ prefix, day }: KeyDay): string => `${day} ${prefix}`;
  const forgetBefore = (day: string): void => {
    if (day <= newest) return;
    newest = day;
    for (const name of totals.keys()) if (name < day) totals.delete(name);
  };
  const read = async ({ prefix, day }: KeyDay): Promise<number> => (await store.usesOn(day, [prefix]))[0]?.uses ?? 0;
  return {
    of: (key) => {
      forgetBefore(key.day);
      const name = nameOf(key);
      const known = totals.get(name);
      if (known !== undefined) return known;
      const total = read(key);
      totals.set(name, total);
      // Whoever waits is told; the next one asks anew.
      total.catch(() => totals.delete(name));
      return total;
    },
    after: async (uses, isWritten) => {
      for (const { count, ...key } of uses) {
        const known = totals.get(nameOf(key));
        if (known === undefined) continue;
        const counted = (await known) + count;
        const total = isWritten ? await read(key).catch(() => counted) : counted;
        totals.set(nameOf(key), Promise.resolve(total));
      }
    },
  };
}
