import {
  createStepClock,
  type Deliverable,
  inputsOfNeeds,
  loadPlace,
  multiCoordinates,
  openFiles,
  type PipelineContext,
  type PipelinePorts,
  type WorkContext,
} from '@headwater/core';
import { mwsLayer } from '../shared/mws-layer.ts';
import { BLOCKS } from '../shared/raster-pipeline.ts';
import { type DemRead, readDem } from '../shared/read-dem.ts';
import { checkMws, demNeeds, terrainBasics, type TerrainParams, type TerrainPipeline } from '../shared/request.ts';
import { type Connection, connections } from './block.ts';
import { CONNECTIVITY_STYLE, connectivityRows, LAYER_COLUMNS, SHEET_COLUMNS } from './connectivity-layer.ts';

const NAME = 'generate_mws_connectivity_data';
const WORKSPACE = 'mws_connectivity';
/** Metres: what the borders of micro-watersheds are drawn from has such pixels, and a tehsil of 80 km stays within some 20 million cells. */
const FINEST = 25;
const ITEM = {
  layer: 'mws_connectivity_vector',
  title: 'Connectivity of micro-watersheds',
  description:
    'Which micro-watershed (`uid`) takes most of the water of which: `downstream`, the `direction` from middle to middle, and `upstream`, those that drain into it. ' +
    'Only micro-watersheds of this tehsil are known: `direction` is 0 where the water leaves them.',
  lineage:
    'Flow (D8) over a digital elevation model, pixels of about 25 m or more, with filled depressions; cells that drain over each border, less those that drain back',
  method: 'mws-connectivity-1',
  keywords: ['micro-watersheds', 'connectivity', 'drainage'],
} as const;
const basics = terrainBasics(NAME, ITEM.method);

/** Which micro-watershed drains into which, as a vector layer and as sheet `mws_connectivity`. */
export const mwsConnectivityPipeline: TerrainPipeline = {
  ...basics,
  summary: 'Computes which micro-watershed of a tehsil drains into which from a digital elevation model.',
  messages: { initiated: 'Successfully initiated', finished: `${NAME} finished` },
  resolve: async (request, ports) => checkMws(await basics.resolve(request, ports), request, ports),
  needs: demNeeds,
  inputs: async (params, ports) =>
    inputsOfNeeds(await loadPlace(params.tehsilId, ports), await demNeeds(params, ports), ports),
  steps: [
    { name: 'read_elevation', weight: 4 },
    { name: 'compute', weight: 6 },
    { name: 'publish', weight: 1 },
  ],
  execute,
};

async function execute(params: TerrainParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const job = await loadPlace(params.tehsilId, ports);
  // Before the files are opened: a version that comes meanwhile differs from what is told.
  const inputs = await inputsOfNeeds(job, await demNeeds(params, ports), ports);
  const work = (step: string): WorkContext => ({
    signal: context.signal,
    progress: (share, note) => context.progress(step, share, note),
  });
  const dem = await clock.step('read_elevation', () =>
    readDem(job.box, { ports, work: work('read_elevation'), finest: FINEST }),
  );
  try {
    const rings = job.mws.map(({ geometry }) => multiCoordinates([geometry]).flat());
    const found = await clock.step('compute', () => connect(dem, rings, { ports, work: work('compute') }));
    const unknown = found.filter(({ downstream }) => downstream === null).length;
    context.log(
      `Connectivity of ${found.length} micro-watersheds from ${dem.elevation.title}; ${unknown} without elevation`,
    );
    const rows = connectivityRows(
      job.mws.map(({ uid }) => uid),
      found,
    );
    const draft = {
      workspace: WORKSPACE,
      dataset: 'Mws Connectivity',
      layerName: (place: string) => `${place}_mws_connectivity`,
      item: { ...ITEM, source: dem.elevation },
      columns: LAYER_COLUMNS,
      properties: rows.layer,
      style: CONNECTIVITY_STYLE,
      preview: 'Each micro-watershed in the colour of the direction in which its water goes.',
      sheet: { name: 'mws_connectivity', columns: SHEET_COLUMNS, rows: rows.sheet },
    };
    const files = await openFiles(ports, context.run);
    const made = await clock.step('publish', () => mwsLayer(draft, { job, ports, context, files }));
    return { ...made, timings: clock.seconds(), inputs };
  } finally {
    await ports.pixels.release([dem.heights]);
  }
}

async function connect(
  { heights }: DemRead,
  zones: readonly unknown[],
  { ports, work }: { readonly ports: PipelinePorts; readonly work: WorkContext },
): Promise<readonly Connection[]> {
  const block = { module: BLOCKS, export: 'connectivityBlock', params: { zones } };
  const plan = { kind: 'whole', grid: heights.grid, inputs: { heights }, block, outputs: [] } as const;
  const { value } = await ports.pixels.whole(plan, work);
  return connections.parse(value);
}
