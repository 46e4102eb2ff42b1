import type { ComputedPlace, Outline } from '@headwater/core';
import { STREAM_HECTARES } from '../../hydrology/stream-network.ts';
import { type DemRun, demRunPipeline, type Published } from '../shared/dem-run.ts';
import { FLOW_SURROUNDINGS } from '../shared/flow-window.ts';
import { orderColor, ordersTo, orderStyle } from '../shared/orders.ts';
import { runBlock } from '../shared/run-block.ts';
import { publishVector, type VectorDraft } from '../shared/vector-layer.ts';
import { ringsOf } from '../shared/zone-rings.ts';
import { foundLines, type FoundLines } from './find-lines.ts';
import { densityTable, LINE_COLUMNS, type LineRow, lineFeatures, ORDER } from './line-layer.ts';

const ITEM = {
  layer: 'drainage_lines_vector',
  title: 'Drainage lines',
  description: `Streams between a source or confluence and the next confluence, cut at the border of the tehsil and its micro-watersheds, with their Strahler order and the land that drains through them. A stream begins where ${STREAM_HECTARES} ha drain through a pixel.`,
  lineage:
    'Stream pixels of D8 flow over a digital elevation model with filled depressions, joined from centre to centre',
  method: 'drainage-lines-2',
  keywords: ['streams', 'drainage', 'hydrology'],
} as const;

/** Drainage lines as a vector layer, and how densely each micro-watershed is drained as sheet `drainage_density`. */
export const drainagePipeline = demRunPipeline({
  name: 'generate_drainage_layer',
  summary:
    'Computes the drainage lines of a tehsil and their density in each micro-watershed from a digital elevation model.',
  initiated: 'Successfully initiated',
  item: ITEM,
  surroundings: FLOW_SURROUNDINGS,
  data: ['drainage_density'],
  steps: [
    { name: 'compute', weight: 6 },
    { name: 'publish', weight: 2 },
  ],
  make,
});

async function make(run: DemRun): Promise<Published> {
  const { clock, job } = run;
  const params = { zones: outlinesOf(job).map(ringsOf) };
  const found = await clock.step('compute', async () => {
    const { value } = await runBlock({ name: 'drainageBlock', params, outputs: [] }, run);
    return foundLines.parse(value);
  });
  return clock.step('publish', () => publishVector(draftOf(found, run), run));
}

/** Micro-watersheds, in their order, and behind them the tehsil: what lies in none of these is cut off. */
function outlinesOf({ mws, place }: ComputedPlace): readonly Outline[] {
  const { geometry } = place.tehsil;
  return [...mws.map((one) => one.geometry), ...(geometry === null ? [] : [geometry])];
}

const greatestOf = ({ lines }: FoundLines): number => lines.reduce((most, { order }) => Math.max(most, order), 0);

function draftOf(found: FoundLines, { job, dem }: DemRun): VectorDraft<LineRow> {
  return {
    item: { ...ITEM, source: dem.elevation },
    workspace: 'drainage',
    dataset: 'Drainage',
    layerName: (place) => place,
    features: lineFeatures(found),
    columns: LINE_COLUMNS,
    geometry: 'Course of the stream, downstream, along pixel centres of the elevation model',
    style: { ...orderStyle(ORDER, ITEM.title, ordersTo(greatestOf(found))), geometry: 'line' },
    preview: 'Drainage lines by their Strahler order.',
    // Rivers stand out, and the first order is seen beside the borders of micro-watersheds.
    lineWidth: (order) => Math.min(order + 1, 6),
    ground: { outlines: outlinesOf(job), color: orderColor(0) },
    tables: job.mws.length === 0 ? [] : [densityTable(job.mws, found)],
  };
}
