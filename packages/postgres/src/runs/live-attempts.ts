import type { Database } from '../database.ts';

/** True while an Item, a table or a series of the run `r` is shown, an Item that stands for one of its own, or a layer whose file it published. */
export const SHOWN = `(exists (select from headwater.items i where i.run_id = r.id)
  or exists (select from headwater.items i where i.stands_for = r.id)
  or exists (select from headwater.data_tables t where t.run_id = r.id)
  or exists (select from headwater.data_series s where s.run_id = r.id)
  or exists (select from headwater.layer_files f
    join headwater.layers l on l.workspace = f.workspace and l.layer_name = f.layer_name and l.asset_key = f.asset_key
    where f.run_id = r.id))`;

/** Notes since when runs show nothing of what they published. */
export const NOTE = `update headwater.runs r set replaced_at = clock_timestamp()
  where r.state = 'success' and r.replaced_at is null and not ${SHOWN}`;

const LIVE = `select id, token from headwater.runs where state = 'running'
  union all
  select id, token from headwater.runs where state = 'success'
    and (replaced_at is null or replaced_at > clock_timestamp() - $1::float8 * interval '1 millisecond')`;

/** Attempts whose folders are in use, those replaced less than `keepMs` ago included; notes the newly replaced. */
export async function liveAttempts(
  database: Database,
  keepMs: number,
): Promise<readonly { readonly id: string; readonly token: number }[]> {
  await database.run(NOTE);
  return await database.rows<{ id: string; token: number }>(LIVE, [keepMs]);
}
