import type { ListedUnit, UnitList, UnitQuery } from '@headwater/core/ports';
import { isStorable } from '@headwater/core/values';
import type { Sql } from '../database.ts';
import { isInt4 } from '../guards.ts';

/**
 * `units`: all units with the slugs of all levels ('' for a level below the unit). `found`: the units that match $1 to
 * $7.
 */
const FOUND = `with units (level, id, name, "isActive", s, d, t, own, path, "stateId", state, "districtId", district) as (
    select 'state', s.id, s.name, s.is_active, s.slug, ''::text collate "C", ''::text collate "C", s.slug, s.slug,
      s.id, s.name, null::int, null::text
    from headwater.states s
    union all
    select 'district', d.id, d.name, d.is_active, s.slug, d.slug, ''::text collate "C", d.slug, s.slug || '_' || d.slug,
      s.id, s.name, d.id, d.name
    from headwater.districts d join headwater.states s on s.id = d.state_id
    union all
    select 'tehsil', t.id, t.name, t.is_active, s.slug, d.slug, t.slug, t.slug, s.slug || '_' || d.slug || '_' || t.slug,
      s.id, s.name, d.id, d.name
    from headwater.tehsils t join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id),
  found as (select * from units where ($1 = '' or strpos(path, $1) > 0) and ($2::text is null or level = $2)
    and ($3::boolean is null or "isActive" = $3) and ($4::text is null or (level = $4 and id = $5::int))
    and ($6::text is null or ($6 = 'state' and level <> 'state' and "stateId" = $7::int)
      or ($6 = 'district' and level = 'tehsil' and "districtId" = $7::int)))`;
const COUNT = `${FOUND} select count(*)::int as total from found`;
/** Returns SQL that counts the rows of a table for each tehsil of the page; null for other units. */
const countIn = (table: string): string =>
  `case when level = 'tehsil' then (select count(*)::int from headwater.${table} b where b.tehsil_id = page.id${table === 'layers' ? ' and not b.is_former' : ''}) end as ${table}`;
const page = (order: string, limit: string): string => `${FOUND},
  page as (select * from found order by ${order} ${limit})
  select level, id, name, "isActive", "stateId", state, "districtId", district,
    case level
      when 'state' then (select count(*)::int from headwater.tehsils t join headwater.districts d on d.id = t.district_id
        where d.state_id = page.id)
      when 'district' then (select count(*)::int from headwater.tehsils t where t.district_id = page.id)
    end as tehsils,
    level = 'tehsil' and coalesce((select t.is_imported from headwater.tehsils t where t.id = page.id), false) as "isImported",
    ${countIn('mws')}, ${countIn('villages')}, ${countIn('layers')}
  from page order by ${order}`;

type Row = Omit<ListedUnit, 'state' | 'district'> & {
  readonly stateId: number;
  readonly state: string;
  readonly districtId: number | null;
  readonly district: string | null;
};

/** Lists a page of units, see `PlaceLookups.listUnits`. */
export async function listUnits(sql: Sql, query: UnitQuery): Promise<UnitList> {
  const { slug = '', level, isActive, unit, below: top, order = 'tree', isDescending = false, limit, offset } = query;
  const named = [unit, top].filter((each) => each !== undefined);
  if (!isStorable(slug) || !named.every(({ id }) => isInt4(id))) return { units: [], total: 0 };
  const narrowed = [slug, level, isActive, unit?.level, unit?.id, top?.level, top?.id].map((value) => value ?? null);
  const columns = order === 'name' ? ['own', 's', 'd', 't'] : ['s', 'd', 't'];
  const sorted = columns.map((column) => `${column} ${isDescending ? 'desc' : 'asc'}`).join(', ');
  const rows = await sql.rows<Row>(page(sorted, 'limit $8 offset $9'), [...narrowed, limit, offset]);
  const total = (await sql.first<{ total: number }>(COUNT, narrowed))?.total ?? 0;
  return { units: rows.map(toUnit), total };
}

function toUnit({ stateId, state, districtId, district, ...rest }: Row): ListedUnit {
  return {
    ...rest,
    state: { id: stateId, name: state },
    district: districtId === null || district === null ? null : { id: districtId, name: district },
  };
}
