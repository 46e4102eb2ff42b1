import type { Activation, UnitId } from '@headwater/core/ports';
import type { Database, Sql } from '../database.ts';
import { lockUnits } from './lock-units.ts';

const TABLES = { state: 'states', district: 'districts', tehsil: 'tehsils' } as const;

/** Activates or deactivates a unit (a state, a district or a tehsil), see `PlaceStore.setActive`. */
export async function setActive(database: Database, { level, id }: UnitId, isActive: boolean): Promise<Activation> {
  return await database.tx(async (sql) => {
    const locked = await lockUnits(sql, { level, id }, 'share');
    if (locked === undefined) return 'unknown';
    const { above, unit } = locked;
    if (isActive && !unit.isActive && above.some((each) => !each.isActive)) return 'inactive_above';
    // A unit that is already inactive is also updated, because `stays_inactive` excludes it from automatic activation.
    await sql.run(`update headwater.${TABLES[level]} set is_active = $2, stays_inactive = not $2 where id = $1`, [
      id,
      isActive,
    ]);
    return unit.isActive === isActive ? 'unchanged' : 'changed';
  });
}

const WHERE = 'not u.is_active and not u.stays_inactive';
const STATES = `select distinct d.state_id as id from headwater.tehsils t join headwater.districts d on d.id = t.district_id
  join headwater.states s on s.id = d.state_id where t.id = any ($1::int[])
    and ((not t.is_active and not t.stays_inactive) or (not d.is_active and not d.stays_inactive)
      or (not s.is_active and not s.stays_inactive))`;
/** Locks states in the order of ids, to avoid deadlocks. */
const LOCK_STATES = 'select id from headwater.states where id = any ($1::int[]) order by id for no key update';
const ACTIVATIONS = [
  `update headwater.states u set is_active = true where ${WHERE} and u.id in (select d.state_id
    from headwater.tehsils t join headwater.districts d on d.id = t.district_id where t.id = any ($1::int[]))`,
  `update headwater.districts u set is_active = true where ${WHERE}
    and u.id in (select t.district_id from headwater.tehsils t where t.id = any ($1::int[]))`,
  `update headwater.tehsils u set is_active = true where ${WHERE} and u.id = any ($1::int[])`,
];

/**
 * Activates tehsils and the units above them, except units that an operator deactivated. Locks the states first, to
 * avoid deadlocks; locks nothing if there is no unit to activate.
 */
export async function activate(sql: Sql, tehsilIds: readonly number[]): Promise<void> {
  if (tehsilIds.length === 0) return;
  const tehsils = tehsilIds.map(String);
  const states = await sql.rows<{ id: number }>(STATES, [tehsils]);
  if (states.length === 0) return;
  await sql.rows(LOCK_STATES, [states.map(({ id }) => String(id))]);
  for (const statement of ACTIVATIONS) await sql.run(statement, [tehsils]);
}
