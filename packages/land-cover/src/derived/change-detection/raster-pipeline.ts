import { outputGrid } from '@headwater/core';
import type { MapStyle } from '@headwater/core/ports';
import {
  classesSld,
  type LayerWork,
  type RunOutput,
  joinOutputs,
  outputOf,
  publishClasses,
  type RasterClass,
  readClasses,
  share,
} from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { BLOCKS } from '../../run/plan.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';
import { labelsOf } from './block.ts';
import { CHANGE_LAYERS, CHANGE_NAMES, type ChangeLayer, type ChangeName, UNSEEN } from './layers.ts';
import { CHANGE_WORKSPACE, changeItem, changeRaster, changeTexts } from './names.ts';
import { CHANGE_MIN_YEARS } from './transitions.ts';

/** Name and route of the pipeline of the change rasters. */
export const CHANGE_DETECTION = 'change_detection';

const UNSEEN_CLASS: RasterClass = {
  value: UNSEEN,
  name: 'unseen',
  title: 'Not seen',
  description: 'No class is known in the first years (at most three), or in the later years',
  color: '#d9d9d9',
};

const classesOf = ({ transitions }: ChangeLayer): readonly RasterClass[] =>
  transitions.map(({ code, column, title, color }) => ({
    value: code,
    name: column,
    title,
    description: title,
    color,
  }));

const styleOf = (name: ChangeName): MapStyle => {
  const style = changeItem(name, 'raster');
  const { title } = CHANGE_LAYERS[name];
  const classes = [...classesOf(CHANGE_LAYERS[name]), UNSEEN_CLASS];
  return { workspace: CHANGE_WORKSPACE, name: style, sld: classesSld(style, title, classes) };
};

/** Publishes five rasters of land-cover changes. */
export const changeDetectionPipeline = yearsPipeline({
  name: CHANGE_DETECTION,
  messages: { initiated: 'change_detection task initiated' },
  listing: { title: 'Changes of land cover', theme: 'Land cover' },
  summary:
    'Compares the first three years of land cover (all but the last if there are fewer than four) with the later years, as five rasters of transitions.',
  styles: CHANGE_NAMES.map(styleOf),
  keywords: ['change detection'],
  method: '2',
  minYears: CHANGE_MIN_YEARS,
  run: make,
});

async function make(work: LayerWork<LulcParams>): Promise<RunOutput> {
  const { job, ports, keep } = work;
  const read = await readClasses(work.sources, work, [0, 0.4]);
  const changes = await ports.pixels.combine(
    {
      kind: 'combine',
      grid: outputGrid(job.box),
      inputs: Object.fromEntries(read.map((raster, index) => [labelsOf(index), raster])),
      block: { module: BLOCKS, export: 'changeBlock', params: {} },
      outputs: CHANGE_NAMES.map((name) => ({ name })),
    },
    share(work, [0.4, 0.6]),
  );
  keep(Object.values(changes));
  const layers: RunOutput[] = [];
  for (const [index, name] of CHANGE_NAMES.entries()) {
    const layer = CHANGE_LAYERS[name];
    const description = `${layer.title}, hydrological years ${work.params.startYear} to ${work.params.endYear}: the land cover of each pixel of about 10 m before and after. Pixels whose class is unknown in all years before or in all years after have the value ${UNSEEN}; they count neither as a change nor in any share.`;
    const draft = {
      ...changeRaster(name),
      about: { ...changeTexts(layer, work.params), layer: changeItem(name, 'raster'), description },
      raster: outputOf(changes, name),
      classes: classesOf(layer),
      unseen: UNSEEN_CLASS,
      nothing: 'None of the changes of this layer',
    };
    layers.push(await publishClasses(draft, work, share(work, [0.6 + 0.08 * index, 0.68 + 0.08 * index])));
  }
  return joinOutputs(layers);
}
