import type { FakeAnswer } from './wire.ts';
import { pageOf, type Route, type RouteCall } from './route.ts';
import { isoMicros } from './world.ts';

export const DAG_ROUTES: readonly Route[] = [
  { method: 'GET', pattern: 'dags/:dag', query: ['fields>=2.9'], handle: readDag },
  { method: 'PATCH', pattern: 'dags/:dag', query: ['update_mask'], handle: pauseDag },
  { method: 'GET', pattern: 'importErrors', query: ['limit', 'offset', 'order_by'], handle: importErrors },
  { method: 'GET', pattern: 'health', query: [], isPublic: true, handle: health },
  { method: 'GET', pattern: 'monitor/health', query: [], isPublic: true, handle: health },
];

function readDag({ world, wire, params }: RouteCall): FakeAnswer {
  const { dag = '' } = params;
  const state = world.dags.get(dag);
  if (state !== undefined) return { status: 200, body: wire.dag(state) };
  return wire.problem({ status: 404, title: 'DAG not found', detail: `The DAG with dag_id: ${dag} was not found` });
}

export function pauseDag({ world, wire, params, query, body }: RouteCall): FakeAnswer {
  const { dag = '' } = params;
  const state = world.dags.get(dag);
  if (state === undefined) return wire.problem({ status: 404, title: `Dag with id: '${dag}' not found`, detail: null });
  const isPaused = typeof body === 'object' && body !== null && 'is_paused' in body ? body.is_paused : undefined;
  if ((query.get('update_mask') ?? 'is_paused') !== 'is_paused' || typeof isPaused !== 'boolean')
    return wire.problem({
      status: 400,
      title: 'Bad Request',
      detail: 'Only `is_paused` field can be updated through the REST API',
    });
  world.setPaused(dag, isPaused);
  return { status: 200, body: wire.dag(state) };
}

function importErrors({ world, wire, query }: RouteCall): FakeAnswer {
  const found = [...world.dags.values()].flatMap(({ dag }) =>
    dag.importError === undefined
      ? []
      : [
          {
            filename: `/opt/airflow/dags/${dag.id}.py`,
            stack_trace: dag.importError,
            timestamp: isoMicros(world.now()),
          },
        ],
  );
  return { status: 200, body: { import_errors: pageOf(found, query, wire.pages), total_entries: found.length } };
}

function health({ world }: RouteCall): FakeAnswer {
  const scheduler = {
    status: world.isSchedulerUp ? 'healthy' : 'unhealthy',
    latest_scheduler_heartbeat: isoMicros(world.now()),
  };
  return {
    status: 200,
    body: {
      metadatabase: { status: 'healthy' },
      scheduler,
      triggerer: { status: null },
      dag_processor: { status: null },
    },
  };
}
