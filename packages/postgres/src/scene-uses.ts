import type { ClaimedSceneUse, MeasuredUse, SceneUse, SceneUseStore, TehsilSceneUse } from '@headwater/core/ports';
import type { Sql } from './database.ts';
import { iso } from './guards.ts';

const COUNTS = ['requests', 'pixels', 'bytes'] as const;

const COLUMNS = `run_id as "runId", account_id as "accountId", project, workload_tag as "workloadTag", ${iso('started_at')} as "startedAt",
  ${COUNTS.map((name) => `${name}::double precision as ${name}`).join(', ')}, open_attempts = 0 as "isWhole",
  eecu_seconds as "eecuSeconds", problem, reads, ${iso('due_at')} as "dueAt"`;

const BEGIN = `insert into headwater.scene_uses as known (run_id, account_id, project, workload_tag, started_at, due_at)
  select $1, $2, $3, $4, $5, $6 where exists (select from headwater.runs where id = $1)
  on conflict (run_id) do update set project = nullif(known.project, nullif(known.project, excluded.project)), eecu_seconds = null,
    problem = null, reads = 0, due_at = excluded.due_at, open_attempts = known.open_attempts + 1`;

const CLAIM = `update headwater.scene_uses set due_at = $2
  where run_id = (select run_id from headwater.scene_uses where due_at <= $1 order by due_at, run_id limit 1 for update skip locked)
  returning ${COLUMNS}`;

// Keeps only the id and tehsil of each run, because the parameters of thousands of runs are long.
const OF_REQUESTED_RUNS = `with recursive requested as (
    select id, headwater.run_tehsil(params) as tehsil from headwater.runs where parent_id = $1
    union all select r.id, q.tehsil from headwater.runs r join requested q on r.parent_id = q.id)
  select tehsil as "tehsilId", ${COUNTS.map((name) => `sum(${name})::double precision as ${name}`).join(', ')},
    sum(eecu_seconds) as "eecuSeconds",
    (count(*) filter (where eecu_seconds is null and due_at is not null))::integer as missing,
    (count(*) filter (where eecu_seconds is null and due_at is null))::integer as unknown,
    bool_and(eecu_seconds is not null and problem is null and due_at is null) as "isFinal",
    min(problem collate "C") as problem
  from requested join headwater.scene_uses on run_id = requested.id
  where tehsil is not null and (open_attempts > 0 or requests > 0)
  group by tehsil order by tehsil`;

const MEASURED = `select count(*)::integer as runs, sum(pixels)::double precision as pixels, sum(eecu_seconds) as "eecuSeconds",
    min(eecu_seconds / pixels) as least, max(eecu_seconds / pixels) as most
  from (select pixels, eecu_seconds from headwater.scene_uses
    where eecu_seconds is not null and problem is null and due_at is null and open_attempts = 0 and pixels > 0
      and ($1::integer is null or account_id = $1)
    order by started_at desc, run_id desc limit $2) newest
  having count(*) > 0`;

/** Uses of scenes in PostgreSQL. */
export function sceneUseStore(sql: Sql): SceneUseStore {
  return {
    begin: async ({ runId, accountId, project, workloadTag, startedAt, dueAt }) => {
      await sql.run(BEGIN, [runId, accountId, project, workloadTag, startedAt, dueAt]);
    },
    end: async (runId, { requests, pixels, bytes }) => {
      await sql.run(
        `update headwater.scene_uses set requests = requests + $2, pixels = pixels + $3, bytes = bytes + $4,
           open_attempts = open_attempts - 1 where run_id = $1`,
        [runId, requests, pixels, bytes],
      );
    },
    claim: async (now, leaseMs) =>
      await sql.first<ClaimedSceneUse>(CLAIM, [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString()]),
    save: async ({ runId, dueAt }, { eecuSeconds, problem, reads, dueAt: next }) =>
      (await sql.run(
        `update headwater.scene_uses set eecu_seconds = $3, problem = $4, reads = $5, due_at = $6
           where run_id = $1 and due_at = $2`,
        [runId, dueAt, eecuSeconds, problem, reads, next],
      )) === 1,
    ofRun: async (runId) =>
      await sql.first<SceneUse>(`select ${COLUMNS} from headwater.scene_uses where run_id = $1`, [runId]),
    ofRequestedRuns: async (runId) => await sql.rows<TehsilSceneUse>(OF_REQUESTED_RUNS, [runId]),
    measured: async (accountId, most) => await sql.first<MeasuredUse>(MEASURED, [accountId, most]),
  };
}
