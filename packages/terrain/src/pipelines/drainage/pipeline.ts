import type { ComputedPlace, Outline } from '@headwater/core';
import { STREAM_HECTARES } from '../../hydrology/stream-network.ts';
import { type DemRun, demRunPipeline, type Published } from '../shared/dem-run.ts';
import { FLOW_SURROUNDINGS } from '../shared/flow-window.ts';
import { orderClasses, orderColor, orderStyle } from '../shared/orders.ts';
import { BLOCKS } from '../shared/raster-pipeline.ts';
import { publishVector, type VectorDraft } from '../shared/vector-layer.ts';
import { ringsOf } from '../shared/zone-rings.ts';
import { foundLines, type FoundLines } from './find-lines.ts';
import { densityTable, lineColumns, lineFeatures, ORDER } from './line-layer.ts';

const ITEM = {
  layer: 'drainage_lines_vector',
  title: 'Drainage lines',
  description: `Streams between a source or confluence and the next confluence, cut at the border of the tehsil and its micro-watersheds, with their Strahler order and the land that drains through them. A stream begins where ${STREAM_HECTARES} ha drain through a pixel.`,
  lineage:
    'Stream pixels of D8 flow over a digital elevation model with filled depressions, joined from centre to centre',
  method: 'drainage-lines-1',
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
  steps: [
    { name: 'compute', weight: 6 },
    { name: 'publish', weight: 2 },
  ],
  make,
});

async function make(run: DemRun): Promise<Published> {
  const { clock, dem, job } = run;
  const found = await clock.step('compute', () => compute(outlinesOf(job), run));
  const draft = draftOf(found, run);
  return clock.step('publish', () => publishVector(job, draft, { ...run, source: dem.elevation }));
}

/** Micro-watersheds, in their order, and behind them the tehsil: what lies in none of these is cut off. */
function outlinesOf({ mws, place }: ComputedPlace): readonly Outline[] {
  const { geometry } = place.tehsil;
  return [...mws.map((one) => one.geometry), ...(geometry === null ? [] : [geometry])];
}

async function compute(outlines: readonly Outline[], { dem: { heights }, ports, work }: DemRun): Promise<FoundLines> {
  const block = { module: BLOCKS, export: 'drainageBlock', params: { zones: outlines.map(ringsOf) } };
  const plan = { kind: 'whole', grid: heights.grid, inputs: { heights }, block, outputs: [] } as const;
  const { value } = await ports.pixels.whole(plan, work('compute'));
  return foundLines.parse(value);
}

function draftOf(found: FoundLines, { job }: DemRun): VectorDraft {
  const features = lineFeatures(found);
  const lines = features
    .map(({ geometry, properties }) => ({ geometry, order: Number(properties[ORDER]) }))
    .toSorted((a, b) => a.order - b.order);
  return {
    item: ITEM,
    workspace: 'drainage',
    dataset: 'Drainage',
    layerName: (place) => place,
    box: job.box,
    features,
    columns: lineColumns,
    style: { ...orderStyle(ORDER, ITEM.title), geometry: 'line' },
    drawing: {
      zones: outlinesOf(job).map((geometry) => ({ geometry, color: orderColor(0) })),
      lines: lines.map(({ geometry, order }) => ({ geometry, color: orderColor(order) })),
    },
    preview: { legend: orderClasses(), description: 'Drainage lines by their Strahler order.' },
    tables: job.mws.length === 0 ? [] : [densityTable(job.place.tehsil.id, job.mws, found.metres)],
  };
}
