import { z } from 'zod';
import { text } from '../../../wire/text.ts';

/** Status of one layer. `status_code` is not the HTTP status: a response with statuses always has the status 200. */
const LayerStatusBody = z
  .object({
    workspace: z.string(),
    layer_name: z.string().describe('Empty if the place has no layer of this dataset.'),
    status_code: z
      .union([z.literal(200), z.literal(400)])
      .describe('200: the map server serves the layer; 400: it is not published, not served, or has no feature.'),
    totalFeature: z.int().describe('Number of features; 0 for rasters.'),
    startDate: z.string().nullable().describe('Start of the data of the layer, ISO 8601 UTC; null if unknown.'),
    endDate: z.string().nullable().describe('End of the data of the layer, ISO 8601 UTC; null if unknown.'),
  })
  .meta({ id: 'LayerStatus' });

/** Status of one layer. */
export type LayerStatus = z.infer<typeof LayerStatusBody>;

/** Statuses of the layers of a place. */
export const LayerStatuses = z
  .object({
    result: z
      .record(z.string(), LayerStatusBody)
      .describe(
        'The keys are the names of datasets; if a dataset has several layers, the name of the layer follows in parentheses.',
      ),
  })
  .meta({ id: 'LayerStatuses' });

/** Query that names a workspace. */
export const WorkspaceQuery = z.object({ workspace: text(200).describe('Name of a workspace of the map server.') });

/** Layers of a workspace. */
export const WorkspaceLayers = z
  .object({
    result: z.object({
      valid_layer: z.array(z.string()).describe('Layers that the map server serves, in alphabetical order.'),
      invalid_layers: z.array(z.string()).describe('Published layers that the map server does not serve.'),
    }),
  })
  .meta({ id: 'WorkspaceLayers' });

/** Layers that the map server lacks. */
export const MissingLayers = z
  .object({
    result: z.array(z.string()).describe('Published layers of the workspace that the map server does not serve.'),
    differences: z
      .array(
        z.object({
          layer_name: z
            .string()
            .nullable()
            .describe('Null if the difference is about the workspace itself or one of its styles.'),
          problem: z.enum(['missing', 'outdated', 'unknown', 'style']),
          message: z.string(),
        }),
      )
      .describe('The first 1,000 differences of every kind, as `headwater map-server check` prints them.'),
  })
  .meta({ id: 'MissingLayers' });

/** Request to create a workspace. */
export const WorkspaceRequest = z
  .object({
    workspace_name: text(200).describe('Letters, digits, `_`, `.` and `-`; begins with a letter, a digit or `_`.'),
  })
  .meta({ id: 'WorkspaceRequest' });

/** Request to unpublish a layer. */
export const LayerRequest = z
  .object({
    workspace: text(200).describe('Workspace of the layer, as in `get_generated_layer_urls/`.'),
    layer_name: text(200).describe('Name of the layer, without the workspace.'),
  })
  .meta({ id: 'LayerRequest' });

/** Response with a sentence. */
export const SuccessBody = z.object({ Success: z.string() }).meta({ id: 'OperatorSuccess' });

/** Response to a request to unpublish a layer. */
export const UnpublishedBody = SuccessBody.extend({
  unpublished: z.array(z.string()).describe('Removed layers, `workspace:name`: all layers of the same Item.'),
}).meta({ id: 'UnpublishedLayers' });
