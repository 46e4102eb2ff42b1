import type { UnitId } from '@headwater/core/ports';
import type { Sql } from '../database.ts';
import { isInt4 } from '../guards.ts';

type Level = UnitId['level'];

/** A unit (a state, a district or a tehsil) whose row this transaction has locked. */
export interface LockedUnit {
  readonly id: number;
  readonly isActive: boolean;
}

const TABLES: readonly (readonly [level: Level, table: string])[] = [
  ['state', 'states'],
  ['district', 'districts'],
  ['tehsil', 'tehsils'],
];

/** Ids of a unit and the units above it. No lock is needed, because a unit never changes its parent. */
const CHAINS: Readonly<Record<Level, string>> = {
  state: 'select id as state from headwater.states where id = $1',
  district: 'select state_id as state, id as district from headwater.districts where id = $1',
  tehsil: `select d.state_id as state, d.id as district, t.id as tehsil
    from headwater.tehsils t join headwater.districts d on d.id = t.district_id where t.id = $1`,
};

/**
 * Locks the units above a unit (in mode `modeAbove`) and then the unit, until the transaction ends. Uses one statement
 * for each unit, because a join would lock in the order of its plan. @returns the units above, outermost first, and
 * the unit; undefined for an unknown unit.
 */
export async function lockUnits(
  sql: Sql,
  { level, id }: UnitId,
  modeAbove: 'share' | 'no key update',
): Promise<{ readonly above: readonly LockedUnit[]; readonly unit: LockedUnit } | undefined> {
  const chain = isInt4(id) ? await sql.first<Partial<Record<Level, number>>>(CHAINS[level], [id]) : undefined;
  const locked: LockedUnit[] = [];
  for (const [each, table] of TABLES) {
    const mode = each === level ? 'no key update' : modeAbove;
    const statement = `select id, is_active as "isActive" from headwater.${table} where id = $1 for ${mode}`;
    const unit = await sql.first<LockedUnit>(statement, [chain?.[each] ?? null]);
    if (unit === undefined) return undefined;
    if (each === level) return { above: locked, unit };
    locked.push(unit);
  }
  return undefined;
}
