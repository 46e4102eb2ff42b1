import {
  type Deliverable,
  eoAccountField,
  invalidField,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  type Place,
  placeFields,
  placeSlug,
} from '@headwater/core';
import { findPlace } from '@headwater/core/places';
import { createStepClock, openFiles } from '@headwater/layer-kit';
import { collectionId, collectionPath, instant, itemId, type ItemId, vectorItem } from '@headwater/stac';
import { z } from 'zod';

const request = z.object({
  ...placeFields,
  ...eoAccountField,
  lineWidth: z.int().min(1).max(20).default(2).describe('Width of the drawn line, pixels.'),
  label: z.string().max(40).optional(),
});
const params = z.object({ tehsilId: z.int(), lineWidth: z.int(), label: z.string() });

type OutlineRequest = Readonly<z.infer<typeof request>>;
type OutlineParams = Readonly<z.infer<typeof params>>;

const PLACE = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil', eoAccountId: 1 };
/** Workspace of the layer. */
export const OUTLINES = 'outlines';

/**
 * A layer as somebody else adds it: one file beside the packages, one line in the composition. It publishes a tehsil's boundary
 * as a vector, and needs no pixels.
 */
export const outlinePipeline: Pipeline<OutlineRequest, OutlineParams> = {
  name: 'tehsil_outline',
  route: 'generate_outline_layer',
  aliases: ['outline'],
  summary: 'Publishes the boundary of a tehsil as a layer.',
  examples: [
    { name: 'plain', request: { ...PLACE, lineWidth: 1 } },
    { name: 'with a label', request: { ...PLACE, lineWidth: 3, label: 'Boundary' } },
  ],
  messages: { initiated: 'Outline task initiated', finished: 'Outline is published' },
  datasets: { outputs: [{ id: 'Outline', title: 'Outline', description: 'Of a tehsil', form: 'vector' }] },
  request,
  resolve: async (asked, { places }) => {
    const { tehsil } = await findPlace(places, asked);
    if (tehsil.geometry === null) throw invalidField('tehsil', `${tehsil.name} has no boundary`);
    return { tehsilId: tehsil.id, lineWidth: asked.lineWidth, label: asked.label ?? tehsil.name };
  },
  params,
  steps: [
    { name: 'draw', weight: 3 },
    { name: 'describe', weight: 1 },
  ],
  fingerprint: ({ tehsilId, lineWidth, label }) => JSON.stringify([tehsilId, lineWidth, label]),
  execute,
};

async function execute(asked: OutlineParams, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const place = await ports.places.placeOfTehsil(asked.tehsilId);
  if (place === undefined || place.tehsil.geometry === null) throw invalidField('tehsil', 'lost its boundary');
  const { geometry } = place.tehsil;
  const layer = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry, properties: { label: asked.label, line_width: asked.lineWidth } }],
  };
  const files = await openFiles(ports, context.run);
  const file = await clock.step('draw', () => files.write('outline.geojson', JSON.stringify(layer)));
  const names = outlineNames(place);
  const item = await clock.step('describe', async () => itemOf({ place, names, geometry, file }, ports));
  context.log(`outline of ${place.tehsil.name} drawn`);
  return {
    items: [{ id: names.id, collectionPath: names.path, item: { ...item } }],
    layers: [
      {
        workspace: OUTLINES,
        layerName: names.layer,
        datasetName: 'Outline',
        layerType: 'vector',
        tehsilId: asked.tehsilId,
        itemId: names.id,
        assetKey: file.key,
        styleKey: null,
      },
    ],
    timings: clock.seconds(),
  };
}

interface Names {
  readonly id: ItemId;
  readonly path: string;
  readonly layer: string;
}

/** Names of what it publishes for a place. */
export function outlineNames({ state, district, tehsil }: Place): Names {
  return {
    id: itemId({ state: state.name, district: district.name, block: tehsil.name, layer: 'outline' }),
    path: collectionPath(state.name, district.name, tehsil.name),
    layer: `outline_${placeSlug(district.name)}_${placeSlug(tehsil.name)}`,
  };
}

interface Drawn {
  readonly place: Place;
  readonly names: Names;
  readonly geometry: NonNullable<Place['tehsil']['geometry']>;
  readonly file: Awaited<ReturnType<PipelinePorts['assets']['write']>>;
}

function itemOf({ place, names, geometry, file }: Drawn, { addresses, version, now }: PipelinePorts) {
  const published = instant(now());
  return vectorItem({
    id: names.id,
    geometry,
    title: `Outline of ${place.tehsil.name}`,
    description: 'The boundary of a tehsil, as it stands in the place directory.',
    start: published,
    end: published,
    published,
    keywords: ['boundary', place.tehsil.name],
    processing: { lineage: 'Copied from the place directory.', software: { outline: version } },
    root: { href: addresses.catalog(), title: 'Root' },
    collection: {
      id: collectionId(names.path),
      href: addresses.collection(names.path),
      title: place.tehsil.name,
    },
    self: addresses.item(names.path, names.id),
    columns: [
      { name: 'label', type: 'object', description: 'Text to be drawn' },
      { name: 'line_width', type: 'int64', description: 'Width of the line, pixels' },
    ],
    rowCount: 1,
    assets: {
      data: { href: addresses.features(OUTLINES, names.layer), title: 'Vector layer' },
      geojson: { href: addresses.file(file.key), title: 'GeoJSON', file },
    },
  });
}
