import { eoAccountField, type Place, placeFields, placeSlug, resolvePlace } from '@headwater/core';
import { describedColumns, EXAMPLE_PLACE, featureOf, layerPipeline, publishVector } from '@headwater/layer-kit';
import { z } from 'zod';

/** Workspace of the layer. */
export const OUTLINES = 'outlines';
/** Layer name of a place. */
export const outlineName = ({ district, tehsil }: Place): string =>
  `outline_${placeSlug(district.name)}_${placeSlug(tehsil.name)}`;

const COLUMNS = describedColumns<{ readonly label: string; readonly line_width: number }>()({
  label: { type: 'text', description: 'Text to be drawn' },
  line_width: { type: 'integer', description: 'Width of the line, pixels' },
});

/** Example of an embedder's pipeline in one file. It publishes the boundary of a tehsil as a layer. */
export const outlinePipeline = layerPipeline({
  name: 'tehsil_outline',
  route: 'generate_outline_layer',
  aliases: ['outline'],
  summary: 'Publishes the boundary of a tehsil as a layer.',
  method: '1',
  examples: [
    { name: 'plain', request: { ...EXAMPLE_PLACE, lineWidth: 1 } },
    { name: 'with a label', request: { ...EXAMPLE_PLACE, lineWidth: 3, label: 'Boundary' } },
  ],
  datasets: { outputs: [{ id: 'Outline', title: 'Outline', description: 'Of a tehsil', form: 'vector' }] },
  request: z.object({
    ...placeFields,
    ...eoAccountField,
    lineWidth: z.int().min(1).max(20).default(2).describe('Width of the drawn line, pixels.'),
    label: z.string().max(40).optional(),
  }),
  resolve: async (request, ports) => {
    const { tehsil } = await resolvePlace(request, ports);
    return { tehsilId: tehsil.id, lineWidth: request.lineWidth, label: request.label ?? tehsil.name };
  },
  run: ({ params: { label, lineWidth }, ...work }) =>
    publishVector(
      {
        workspace: OUTLINES,
        dataset: 'Outline',
        layerName: () => outlineName(work.job.place),
        fileName: 'outline',
        about: {
          layer: 'outline',
          title: 'Outline',
          description: 'The boundary of a tehsil, from the place directory.',
          lineage: 'Copied from the place directory.',
          keywords: ['boundary'],
        },
        geometry: 'Boundary of the tehsil',
        columns: COLUMNS,
        features: work.job.clip.slice(0, 1).map((boundary) => featureOf(boundary, { label, line_width: lineWidth })),
      },
      work,
    ),
});
