import { type RunOutput, publishMws, describedColumns, MWS_UID, type VectorStyle } from '@headwater/layer-kit';
import type { TableColumn, TableRow } from '@headwater/core';
import { aboutOf, type DemRun, demRunPipeline, FLOW_SURROUNDINGS } from '../dem/dem-run.ts';
import { resolveWithMws } from '../dem/place-pipeline.ts';
import { runBlock } from '../dem/run-block.ts';
import { flowNote } from '../dem/window-note.ts';
import { ringsOf } from '../dem/elevation-about.ts';
import { connections, type Connection } from './block.ts';
import { DIRECTIONS } from '../../zones/connectivity.ts';

const NAME = 'generate_mws_connectivity_data';
const WORKSPACE = 'mws_connectivity';
const ABOUT = {
  layer: 'mws_connectivity_vector',
  title: 'Connectivity of micro-watersheds',
  description:
    'Drainage between micro-watersheds (`uid`). `downstream` is the micro-watershed that receives most of the water, `direction` is the direction from centre to centre, and `upstream` lists the micro-watersheds whose `downstream` is this one. ' +
    'Only micro-watersheds of this tehsil are included: `direction` is 0 if most of the water flows into no other micro-watershed of the tehsil.',
  lineage:
    'Flow (D8) over a digital elevation model with filled depressions; cells that drain over each border, minus the cells that drain back',
  keywords: ['micro-watersheds', 'connectivity', 'drainage'],
} as const;

/** Pipeline of the drainage between micro-watersheds, as a vector layer and as sheet `mws_connectivity`. */
export const mwsConnectivityPipeline = demRunPipeline({
  name: NAME,
  listing: {
    title: 'Drainage between micro-watersheds',
    theme: 'Streams and drainage',
    sources: ['Digital elevation model'],
  },
  summary: 'Computes the drainage between the micro-watersheds of a tehsil from a digital elevation model.',
  initiated: 'Successfully initiated',
  method: 'mws-connectivity-2',
  about: ABOUT,
  resolve: resolveWithMws,
  surroundings: {
    ...FLOW_SURROUNDINGS,
    note: (facts) =>
      flowNote(facts, 'there `downstream` and `direction` are null if this water may change the greatest outflow'),
  },
  data: ['mws_connectivity'],
  steps: [
    { name: 'compute', weight: 6 },
    { name: 'publish', weight: 1 },
  ],
  make,
});

async function make(run: DemRun): Promise<RunOutput> {
  const { clock, context, job } = run;
  const params = { zones: job.mws.map(({ geometry }) => ringsOf(geometry)) };
  const found = await clock.step('compute', async (step) => {
    const { value } = await runBlock({ name: 'connectivityBlock', params, outputs: [] }, run, step);
    return connections.parse(value);
  });
  const unknown = found.filter(({ downstream }) => downstream === null).length;
  context.log(`${found.length} micro-watersheds, ${unknown} of them with unknown drainage`);
  const uids = job.mws.map(({ uid }) => uid);
  const rows = connectivityRows(uids, found);
  const draft = {
    workspace: WORKSPACE,
    dataset: 'Mws Connectivity',
    layerName: (place: string) => `${place}_mws_connectivity`,
    about: aboutOf(ABOUT, run),
    columns: LAYER_COLUMNS,
    rows: rows.layer,
    style: CONNECTIVITY_STYLE,
    preview: 'Each micro-watershed in the colour of its drainage direction.',
    tables: [{ name: 'mws_connectivity', key: 'uid', columns: SHEET_COLUMNS, rows: rows.sheet }],
  };
  return clock.step('publish', () => publishMws(draft, run));
}

const DIRECTION = {
  name: 'direction',
  type: 'integer',
  description:
    'Direction of drainage: 0 if most of the water flows into no other micro-watershed of the tehsil, 1 NE, 2 E, 3 SE, 4 S, 5 SW, 6 W, 7 NW, 8 N; null without elevation, or if water from land that is not in the elevation model may change the direction',
} as const satisfies TableColumn;
const DOWNSTREAM =
  'Micro-watershed that receives most of the water of this one; null if most of the water flows into no other micro-watershed of the tehsil, and null where direction is null';
const UPSTREAM = 'Micro-watersheds that give most of their water to this one, as far as that is known';

type ConnectivityRow = {
  readonly uid: string | null;
  readonly direction: number | null;
  readonly downstream: string | null;
  readonly upstream: string;
};

/** Columns named as in the CoRE Stack backend. A list is written as JSON text, because features cannot have lists. */
export const LAYER_COLUMNS = describedColumns<ConnectivityRow>()({
  uid: MWS_UID,
  direction: DIRECTION,
  downstream: { type: 'text', description: DOWNSTREAM },
  upstream: { type: 'text', description: `${UPSTREAM}, a JSON list` },
});

/** Columns of sheet `mws_connectivity`. */
export const SHEET_COLUMNS: readonly TableColumn[] = [
  MWS_UID,
  DIRECTION,
  { name: 'downstream_mws', type: 'text', description: DOWNSTREAM },
  { name: 'upstream_mws', type: 'list', description: UPSTREAM },
];

function connectivityRows(
  uids: readonly string[],
  found: readonly Connection[],
): { readonly layer: readonly ConnectivityRow[]; readonly sheet: readonly TableRow[] } {
  const uidOf = (zone: number): string | null => uids[zone - 1] ?? null;
  const rows = found.map(({ downstream, upstream, direction }, index) => ({
    uid: uidOf(index + 1),
    direction: downstream === null ? null : direction,
    downstream: downstream === null ? null : uidOf(downstream),
    upstream: upstream.flatMap((zone) => uidOf(zone) ?? []),
  }));
  return {
    layer: rows.map((row) => ({ ...row, upstream: JSON.stringify(row.upstream) })),
    sheet: rows.map(({ uid, direction, downstream, upstream }) => ({
      uid,
      direction,
      downstream_mws: downstream,
      upstream_mws: upstream,
    })),
  };
}

/** Grey for no direction, then the colour circle, so that neighbouring directions have similar colours. */
const COLORS = ['#bdbdbd', '#d9b53b', '#93c83d', '#3fae4b', '#35b08f', '#3a86c8', '#5b57c4', '#a44cc0', '#d2505f'];

const CONNECTIVITY_STYLE: VectorStyle = {
  attribute: DIRECTION.name,
  title: 'Direction of drainage',
  limits: [-0.5, ...DIRECTIONS.map((_, code) => code + 0.5)],
  colors: COLORS,
  labels: DIRECTIONS,
};
