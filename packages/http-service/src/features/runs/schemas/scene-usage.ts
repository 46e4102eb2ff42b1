import { z } from 'zod';

/** Platform that would read the scenes of a request, with the expected computing time. */
export const SceneEngineEstimate = z.object({
  engine: z.string().describe('`earth_engine`.'),
  account_id: z.int().describe('Account with whose rights and quota the scenes are read.'),
  pixels: z
    .int()
    .describe('Maximum number of pixels to receive, summed over bands. Scenes that are entirely cloudy need fewer.'),
  eecu_seconds: z
    .number()
    .nullable()
    .describe(
      'Expected computing time at the platform: the pixels, times the EECU-seconds per pixel of earlier runs. Null if no run has been measured.',
    ),
  eecu_range: z
    .array(z.number())
    .length(2)
    .nullable()
    .describe(
      'Lowest and highest expected time: computed with the run that used the fewest EECU-seconds per pixel, and with the run that used the most.',
    ),
  eecu_reason: z.string().describe('Sentence about the measured runs, or about the reason for the missing figure.'),
});

const tehsilCount = (about: string): z.ZodInt => z.int().describe(`Tehsils ${about}.`);

/** Scenes that a run read from a platform. */
export const SceneUsage = z.object({
  account_id: z.int().describe('Account with whose rights and quota the scenes were read.'),
  requests: z.int().describe('Requests for pixels, also those that failed.'),
  pixels: z.int().describe('Pixels that were received, summed over bands.'),
  bytes: z.int(),
  workload_tag: z
    .string()
    .nullable()
    .describe(
      'Label of these requests in Cloud Monitoring; it contains the id of the run. Null for a run over a district or a state: the run of each tehsil has its own label.',
    ),
  eecu_seconds: z
    .number()
    .nullable()
    .describe(
      'Computing time of the requests that succeeded, read from Cloud Monitoring after the run. Null if unknown. For a run over a district or a state: the sum over its `measured` tehsils.',
    ),
  eecu_final: z
    .boolean()
    .describe(
      'True if the computing time is known and later reads found no further time. False before that, and if the last read failed. For a run over a district or a state: true if this holds for each tehsil in the sum, and no tehsil is `missing`.',
    ),
  eecu_reason: z
    .string()
    .nullable()
    .describe(
      'Reason why the last read found no computing time; null if it found one. For a run over a district or a state: the numbers of tehsils without a time, and the reason of one of them.',
    ),
  tehsils: z
    .object({
      all: tehsilCount('of the run'),
      measured: tehsilCount('whose computing time is complete; `eecu_seconds` is their sum'),
      final: tehsilCount('in `measured` whose time is final'),
      missing: tehsilCount('whose time is not known yet, also those that are not computed yet'),
      unknown: tehsilCount('whose time stays unknown, because no further read follows or because a run was removed'),
      without: tehsilCount(
        'that ended, or whose run ended, without reading scenes at the platform, such as those with a stored result',
      ),
      problem: z
        .string()
        .nullable()
        .describe('Reason why the last read of one tehsil found no computing time; null if there is none.'),
    })
    .nullable()
    .describe(
      'Numbers of tehsils; null for a run of one tehsil. The figures of a run over a district or a state are sums over its tehsils.',
    ),
});
