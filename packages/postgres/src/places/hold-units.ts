import type { UnitId } from '@headwater/core/ports';
import type { Sql } from '../database.ts';
import { isInt4 } from '../guards.ts';

type Level = UnitId['level'];

/** A unit whose row this transaction holds. */
export interface HeldUnit {
  readonly id: number;
  readonly isActive: boolean;
}

/** Tables of the units, from the state down. */
const TABLES: readonly (readonly [level: Level, table: string])[] = [
  ['state', 'states'],
  ['district', 'districts'],
  ['tehsil', 'tehsils'],
];

/** Which units a unit lies in, and itself: what never changes while it is there. */
const CHAINS: Readonly<Record<Level, string>> = {
  state: 'select id as state from headwater.states where id = $1',
  district: 'select state_id as state, id as district from headwater.districts where id = $1',
  tehsil: `select d.state_id as state, d.id as district, t.id as tehsil
    from headwater.tehsils t join headwater.districts d on d.id = t.district_id where t.id = $1`,
};

/**
 * Holds the units above one, and then itself, until the transaction is over: whoever holds several takes them from the state down, each by a
 * statement of its own, so that no two wait for each other in a circle. One statement with joins takes them in the order of its plan.
 * @returns those above, outermost first, and the unit; undefined for one that is not there.
 */
export async function holdUnits(
  sql: Sql,
  { level, id }: UnitId,
  above: 'share' | 'no key update',
): Promise<{ readonly above: readonly HeldUnit[]; readonly unit: HeldUnit } | undefined> {
  const chain = isInt4(id) ? await sql.first<Partial<Record<Level, number>>>(CHAINS[level], [id]) : undefined;
  const held: HeldUnit[] = [];
  for (const [each, table] of TABLES) {
    const mode = each === level ? 'no key update' : above;
    const look = `select id, is_active as "isActive" from headwater.${table} where id = $1 for ${mode}`;
    const unit = await sql.first<HeldUnit>(look, [chain?.[each] ?? null]);
    if (unit === undefined) return undefined;
    if (each === level) return { above: held, unit };
    held.push(unit);
  }
  return undefined;
}
