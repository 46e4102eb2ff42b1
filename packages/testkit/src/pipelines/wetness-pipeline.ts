import {
  createStepClock,
  type Deliverable,
  eoAccountField,
  findPlace,
  type LayerNeed,
  type Mws,
  openFiles,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  type Place,
  placeFields,
  sphericalAreaHa,
  versionsOfNeeds,
} from '@headwater/core';
import { z } from 'zod';
import { floatGeoTiff } from './float-geotiff.ts';
import { outlineNames, OUTLINES } from './outline-pipeline.ts';
import { rasterOf, wetnessItem, wetnessNames, WETNESS } from './wetness-item.ts';

const request = z.object({ ...placeFields, ...eoAccountField });
const params = z.object({ tehsilId: z.int(), eoAccountId: z.int() });
type Request = Readonly<z.infer<typeof request>>;
type Params = Readonly<z.infer<typeof params>>;

/** Sheet and series that it publishes. */
export const WETNESS_TABLE = 'wetness_annual';
const WETNESS_SERIES = 'wetness_fortnight';
const PLACE = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil', eoAccountId: 1 };
const DATES = ['2021-07-01', '2021-07-15', '2021-07-29'];

/**
 * A layer of somebody else that is made of another one's: it reads the published boundary, and publishes a float32 raster, a table by
 * micro-watershed and a series by fortnight. Invented numbers, as the boundary's box gives them.
 */
export const wetnessPipeline: Pipeline<Request, Params> = {
  name: 'wetness',
  route: 'generate_wetness_layer',
  aliases: [],
  summary: 'Publishes an invented wetness within the boundary of a tehsil.',
  examples: [
    { name: 'start', request: PLACE },
    { name: 'wait', request: PLACE },
  ],
  messages: { initiated: 'Wetness task initiated', finished: 'Wetness is published' },
  request,
  resolve: async (asked, { places }) => {
    const { tehsil } = await findPlace(places, asked);
    return { tehsilId: tehsil.id, eoAccountId: asked.eoAccountId };
  },
  params,
  dependsOn: ['tehsil_outline'],
  needs: async (asked, { places }) => [needOf(asked, await placeOf(asked, places))],
  steps: [
    { name: 'raster', weight: 2 },
    { name: 'numbers', weight: 1 },
  ],
  fingerprint: ({ tehsilId }) => String(tehsilId),
  inputs: async (asked, { places, published }) =>
    versionsOfNeeds([needOf(asked, await placeOf(asked, places))], { published }),
  execute,
};

async function placeOf({ tehsilId }: Params, places: PipelinePorts['places']): Promise<Place> {
  const place = await places.placeOfTehsil(tehsilId);
  if (place === undefined) throw new Error(`tehsil ${tehsilId} is gone`);
  return place;
}

function needOf({ tehsilId, eoAccountId }: Params, place: Place): LayerNeed {
  const { state, district, tehsil } = place;
  const names = { state: state.name, district: district.name, tehsil: tehsil.name };
  const request = { ...names, eoAccountId, lineWidth: 1 };
  const layer = { workspace: OUTLINES, layerName: outlineNames(place).layer, tehsilId };
  return { kind: 'layer', ...layer, pipeline: 'tehsil_outline', request };
}

async function execute(asked: Params, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const place = await placeOf(asked, ports.places);
  const need = needOf(asked, place);
  // Before the layer is opened: a version that comes meanwhile differs from what is told.
  const inputs = await versionsOfNeeds([need], ports);
  const outline = await ports.published.layerFile(need.workspace, need.layerName);
  const text = await new Response(outline.file.stream(0, outline.file.bytes - 1)).text();
  const raster = rasterOf(JSON.parse(text));
  const { id: run, token } = context.run;
  await openFiles(ports, context.run);
  const file = await clock.step('raster', () => ports.assets.write(run, token, 'wetness.tif', floatGeoTiff(raster)));
  const names = wetnessNames(place);
  const item = wetnessItem({ place, raster, file }, ports);
  const numbers = await clock.step('numbers', async () => numbersOf(asked, await ports.places.mwsOf(asked.tehsilId)));
  context.log(`made of ${outline.layer.layerName}, which run ${outline.runId} published`);
  return {
    items: [{ id: names.id, collectionPath: names.path, item: { ...item } }],
    layers: [
      {
        workspace: WETNESS,
        layerName: names.layer,
        datasetName: 'Wetness',
        layerType: 'raster',
        tehsilId: asked.tehsilId,
        itemId: names.id,
        assetKey: file.key,
        styleKey: null,
      },
    ],
    tables: numbers.tables.map((table) => ({ ...table, itemId: names.id })),
    series: numbers.series,
    timings: clock.seconds(),
    inputs,
  };
}

function numbersOf({ tehsilId }: Params, mws: readonly Mws[]): Required<Pick<Deliverable, 'tables' | 'series'>> {
  const wetness = (index: number, n: number): number => Math.cos(index + n) / 3;
  const rows = mws.map(({ uid, geometry }, index) => ({
    uid,
    area_in_ha: sphericalAreaHa(geometry),
    wetness: wetness(index, 0),
    remark: index === 0 ? '=HYPERLINK("http://x.example")' : null,
    months: [7, 8],
  }));
  return {
    tables: [
      {
        name: WETNESS_TABLE,
        tehsilId,
        key: 'uid',
        columns: [
          { name: 'uid', type: 'text', description: 'Micro-watershed' },
          { name: 'area_in_ha', type: 'number', unit: 'ha', description: 'Area' },
          { name: 'wetness', type: 'number', description: 'Wetness, -1 to 1' },
          { name: 'remark', type: 'text', description: 'Remark' },
          { name: 'months', type: 'list', description: 'Wet months' },
        ],
        rows,
      },
    ],
    series: [
      {
        name: WETNESS_SERIES,
        tehsilId,
        description: 'Wetness, -1 to 1',
        dates: DATES,
        values: Object.fromEntries(
          mws.map(({ uid }, index) => [uid, DATES.map((_, n) => (n === 1 ? null : wetness(index, n)))]),
        ),
      },
    ],
  };
}
