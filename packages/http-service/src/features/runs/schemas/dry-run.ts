import { z } from 'zod';
import { SceneEngineEstimate } from './scene-usage.ts';

/** Expected work of a request with `dry_run=true`. */
export const DryRun = z
  .object({
    dry_run: z.literal(true),
    tehsils: z.int().describe('Number of tehsils that would be computed.'),
    km2: z.number().describe('Area of these tehsils.'),
    sampled: z
      .int()
      .describe('Number of tehsils that were examined; the figures for all tehsils are estimated from these.'),
    lacking: z.int().describe('Number of examined tehsils whose needed data are missing.'),
    failed: z
      .array(z.object({ district: z.string(), block: z.string(), message: z.string() }))
      .describe('Tehsils that could not be examined, with the reasons; a run over them would probably fail.'),
    scenes: z
      .int()
      .nullable()
      .describe(
        'Satellite scenes to read, summed over years and tehsils; 0 for a layer without scenes. Null if this server cannot estimate them, or if the pipeline does not state its inputs.',
      ),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Bytes of scenes and elevations to read from files or servers, as if none were cached. The margin of elevations around a place is not counted. Null if unknown, for example without elevations for the place.',
      ),
    requests: z
      .int()
      .nullable()
      .describe('HTTP requests for scenes and elevations; 0 if they are local files. Null if unknown.'),
    scene_engine: SceneEngineEstimate.nullable().describe(
      "Platform that reads the scenes with the rights of the account; null if no platform reads scenes, for example with the service's own sources.",
    ),
    minutes: z
      .number()
      .nullable()
      .describe(
        'Minutes of computation by one worker; a slow network takes longer. Null if the layer was never computed here and has no scenes, or none that can be estimated.',
      ),
    memory_bytes: z
      .int()
      .nullable()
      .describe('Peak memory of the worker; null if the layer has no scenes, or none that can be estimated.'),
    disk_bytes: z
      .int()
      .nullable()
      .describe(
        'Bytes on the disk: the scratch files of one tehsil (the examined tehsil that needs most), and the published files of all tehsils. Null if unknown.',
      ),
    is_measured: z
      .boolean()
      .describe('True if the minutes are estimated from the newest run of this layer on this service.'),
    missing: z
      .string()
      .nullable()
      .describe('Missing data that the examined tehsils need; null if no data are missing.'),
    makers: z
      .array(z.string())
      .nullable()
      .describe(
        'Pipelines that `with_dependencies=true` would run first; null if no pipeline makes the missing data of an examined tehsil.',
      ),
  })
  .meta({ id: 'DryRun' });
