import type { Activation, UnitId } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { isInt4 } from '../guards.ts';

/** The unit is held while it is changed, and those above it as they are. */
const LOOKS: Readonly<Record<UnitId['level'], { readonly table: string; readonly look: string }>> = {
  state: {
    table: 'states',
    look: 'select s.is_active as "isActive", true as above from headwater.states s where s.id = $1 for update of s',
  },
  district: {
    table: 'districts',
    look: `select d.is_active as "isActive", s.is_active as above
      from headwater.districts d join headwater.states s on s.id = d.state_id where d.id = $1 for update of d for share of s`,
  },
  tehsil: {
    table: 'tehsils',
    look: `select t.is_active as "isActive", d.is_active and s.is_active as above
      from headwater.tehsils t join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
      where t.id = $1 for update of t for share of d, s`,
  },
};

/** Makes a unit active or inactive, as `PlaceStore.setActive` says. */
export async function setActive(database: Database, { level, id }: UnitId, isActive: boolean): Promise<Activation> {
  if (!isInt4(id)) return 'unknown';
  const { table, look } = LOOKS[level];
  return await database.tx(async (sql) => {
    const unit = await sql.first<{ isActive: boolean; above: boolean }>(look, [id]);
    if (unit === undefined) return 'unknown';
    if (isActive && !unit.isActive && !unit.above) return 'inactive_above';
    // Said of one that is inactive already, it still is the operator's wish from then on.
    await sql.run(`update headwater.${table} set is_active = $2, stays_inactive = not $2 where id = $1`, [
      id,
      isActive,
    ]);
    return unit.isActive === isActive ? 'unchanged' : 'changed';
  });
}

const WHERE = 'not u.is_active and not u.stays_inactive';
/** From the state down, the order in which places are saved, so that no two wait for each other in a circle. */
const ACTIVATIONS = [
  `update headwater.states u set is_active = true where ${WHERE} and u.id in (select d.state_id
    from headwater.tehsils t join headwater.districts d on d.id = t.district_id where t.id = any ($1::int[]))`,
  `update headwater.districts u set is_active = true where ${WHERE}
    and u.id in (select t.district_id from headwater.tehsils t where t.id = any ($1::int[]))`,
  `update headwater.tehsils u set is_active = true where ${WHERE} and u.id = any ($1::int[])`,
];

/** Makes tehsils and the units above them active; those that an operator made inactive stay so. */
export async function activate(sql: Sql, tehsilIds: readonly number[]): Promise<void> {
  if (tehsilIds.length === 0) return;
  for (const statement of ACTIVATIONS) await sql.run(statement, [tehsilIds.map(String)]);
}
