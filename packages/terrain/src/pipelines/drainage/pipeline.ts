import type { ComputedPlace, Outline } from '@headwater/core';
import { type RunOutput, publishVector, type VectorDraft } from '@headwater/layer-kit';
import { STREAM_HECTARES } from '../../hydrology/stream-network.ts';
import { streamParamsOf, streamProperties, type StreamSettings } from '../dem/stream-settings.ts';
import { aboutOf, type DemRun, demRunPipeline } from '../dem/dem-run.ts';
import { FLOW_SURROUNDINGS } from '../dem/dem-run.ts';
import { runBlock } from '../dem/run-block.ts';
import { ringsOf } from '../dem/elevation-about.ts';
import { orderColor, ordersTo, orderStyle } from '../stream-order/orders.ts';
import { foundLines, type FoundLines } from './find-lines.ts';
import { densityTable, LINE_COLUMNS, type LineRow, lineFeatures, ORDER } from './line-layer.ts';

const aboutLines = (hectares: number) =>
  ({
    layer: 'drainage_lines_vector',
    title: 'Drainage lines',
    description: `Streams between a source or confluence and the next confluence, cut at the outer border of the tehsil and its micro-watersheds, with their Strahler order and the land that drains through them. A stream begins where ${hectares} ha drain through a pixel. The order is unknown, and has a grey colour, where water from land that is not in the elevation model may enter.`,
    lineage:
      'Stream pixels of D8 flow over a digital elevation model with filled depressions, joined from centre to centre',
    keywords: ['streams', 'drainage', 'hydrology'],
  }) as const;

/** Pipeline of drainage lines as a vector layer, and of sheet `drainage_density`. */
export const createDrainagePipeline = ({ streamHectares = STREAM_HECTARES }: StreamSettings = {}) =>
  demRunPipeline({
    name: 'generate_drainage_layer',
    listing: {
      title: 'Drainage lines and density',
      theme: 'Streams and drainage',
      sources: ['Digital elevation model'],
    },
    summary:
      'Computes the drainage lines of a tehsil and their density in each micro-watershed from a digital elevation model.',
    initiated: 'Successfully initiated',
    method: `drainage-lines-4/${streamHectares}`,
    about: aboutLines(streamHectares),
    surroundings: FLOW_SURROUNDINGS,
    data: ['drainage_density'],
    steps: [
      { name: 'compute', weight: 6 },
      { name: 'publish', weight: 2 },
    ],
    make: (run) => make(run, streamHectares),
  });

/** Pipeline with the default threshold. */
export const drainagePipeline = createDrainagePipeline();

async function make(run: DemRun, streamHectares: number): Promise<RunOutput> {
  const { clock, job } = run;
  const params = { zones: outlinesOf(job).map(ringsOf), ...streamParamsOf(job, streamHectares) };
  const found = await clock.step('compute', async (step) => {
    const { value } = await runBlock({ name: 'drainageBlock', params, outputs: [] }, run, step);
    return foundLines.parse(value);
  });
  return clock.step('publish', () => publishVector(draftOf(found, run, streamHectares), run));
}

/** Outlines of the micro-watersheds, followed by the outline of the tehsil. */
function outlinesOf({ mws, place }: ComputedPlace): readonly Outline[] {
  const { geometry } = place.tehsil;
  return [...mws.map((one) => one.geometry), ...(geometry === null ? [] : [geometry])];
}

const greatestOf = ({ lines }: FoundLines): number => lines.reduce((most, { order }) => Math.max(most, order ?? 0), 0);

function draftOf(found: FoundLines, run: DemRun, streamHectares: number): VectorDraft<LineRow> {
  const { job } = run;
  const about = aboutLines(streamHectares);
  return {
    about: aboutOf(about, { ...run, extra: streamProperties(streamHectares) }),
    workspace: 'drainage',
    dataset: 'Drainage',
    layerName: (place) => place,
    features: lineFeatures(found),
    columns: LINE_COLUMNS,
    geometry: 'Line of the stream in the direction of its flow, through the pixel centres of the elevation model',
    style: {
      ...orderStyle(ORDER, about.title, ordersTo(greatestOf(found))),
      geometry: 'line',
      unknown: { color: '#8c8c8c', label: 'Unknown order' },
    },
    preview: 'Drainage lines by their Strahler order.',
    // Lines of order 1 are wide enough to be visible next to borders.
    lineWidth: (order) => Math.min(order + 1, 6),
    ground: { outlines: outlinesOf(job), color: orderColor(0) },
    tables: job.mws.length === 0 ? [] : [densityTable(job.mws, found)],
  };
}
