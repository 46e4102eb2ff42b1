import { type RunOutput, publishMws } from '@headwater/layer-kit';
import { aboutOf, type DemRun, demRunPipeline } from '../dem/dem-run.ts';
import { FLOW_SURROUNDINGS } from '../dem/dem-run.ts';
import { resolveWithMws } from '../dem/place-pipeline.ts';
import { runBlock } from '../dem/run-block.ts';
import { ringsOf } from '../dem/elevation-about.ts';
import { connections } from './block.ts';
import { CONNECTIVITY_STYLE, connectivityRows, LAYER_COLUMNS, SHEET_COLUMNS } from './connectivity-layer.ts';

const NAME = 'generate_mws_connectivity_data';
const WORKSPACE = 'mws_connectivity';
const ABOUT = {
  layer: 'mws_connectivity_vector',
  title: 'Connectivity of micro-watersheds',
  description:
    'Drainage between micro-watersheds (`uid`). `downstream` is the micro-watershed that receives most of the water, `direction` is the direction from centre to centre, and `upstream` lists the micro-watersheds whose `downstream` is this one. ' +
    'Only micro-watersheds of this tehsil are included: `direction` is 0 if most of the water leaves them.',
  lineage:
    'Flow (D8) over a digital elevation model with filled depressions; cells that drain over each border, minus the cells that drain back',
  keywords: ['micro-watersheds', 'connectivity', 'drainage'],
} as const;

/**
 * Pipeline of the drainage from micro-watershed to micro-watershed, as a vector layer and as sheet
 * `mws_connectivity`.
 */
export const mwsConnectivityPipeline = demRunPipeline({
  name: NAME,
  listing: {
    title: 'Drainage between micro-watersheds',
    theme: 'Streams and drainage',
    sources: ['Digital elevation model'],
  },
  summary: 'Computes the drainage between the micro-watersheds of a tehsil from a digital elevation model.',
  initiated: 'Successfully initiated',
  method: 'mws-connectivity-1',
  about: ABOUT,
  resolve: resolveWithMws,
  surroundings: FLOW_SURROUNDINGS,
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
  context.log(`${found.length} micro-watersheds, ${unknown} of them without elevation`);
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
