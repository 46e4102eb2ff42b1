import { z } from 'zod';
import { CodeMember } from '../../../wire/wordings/problem.ts';
import { SceneUsage } from './scene-usage.ts';

const PartStateText = z
  .enum(['waiting', 'paused', 'queued', 'running', 'success', 'failed'])
  .describe(
    'waiting: not started yet. paused: not started while the run is paused. All other states are states of a run.',
  );

const seconds = (about: string): z.ZodNumber => z.number().min(0).describe(`Seconds${about}.`);

/** Report of a run over a district or a state. */
export const ScopeReport = z
  .object({
    run_id: z.string(),
    scope: z.enum(['district', 'state']),
    pipeline: z.string().describe('Pipeline that computes each tehsil.'),
    state: z.string().describe('Name of the state.'),
    district: z.string().nullable().describe('Name of the district; null for a whole state.'),
    status: z.enum(['queued', 'running', 'success', 'failed']).describe('State of the run.'),
    paused: z.boolean().describe('True if tehsils wait because the run is paused.'),
    progress: z.number().min(0).max(1).describe('Finished share of the work; a tehsil counts by its area.'),
    tehsils: z.int().describe('Number of tehsils.'),
    counts: z.record(PartStateText, z.int()).describe('Number of tehsils in each state.'),
    reused: z.int().describe('Number of tehsils with a stored result of an earlier run.'),
    remaining: z
      .object({
        low: seconds(', lower bound'),
        expected: seconds(''),
        high: seconds(', upper bound'),
        measured: z.int().describe('Number of computed tehsils from which the time is estimated.'),
      })
      .nullable()
      .describe(
        'Time until the end. Null before the first tehsil was computed, while nothing is computed, and after the end.',
      ),
    scene_usage: SceneUsage.nullable().describe(
      "Sums over the scenes that the runs of the tehsils read from a platform; null if they read no scenes there, for example because they read them from the service's own sources.",
    ),
    results: z.array(
      z.object({
        district: z.string(),
        block: z.string().describe('Name of the tehsil.'),
        state: PartStateText,
        run_id: z.string().nullable().describe('The run that computes the tehsil; null before its start.'),
        reused: z
          .boolean()
          .describe('True if the tehsil has the stored result of an earlier run with the same inputs.'),
        progress: z.number().min(0).max(1),
        seconds: z.number().nullable().describe('Seconds that the tehsil took; null if it was not computed.'),
        eecu_seconds: z
          .number()
          .nullable()
          .describe(
            'Computing time of the tehsil at the platform, EECU-seconds; null if there is none, or if it is not known completely.',
          ),
        error: z.object({ code: CodeMember, message: z.string() }).nullable(),
        run: z.string().nullable().describe('Address of the run.'),
      }),
    ),
  })
  .meta({ id: 'ScopeReport' });

/** Report of a run over a district or a state. The list of tehsils is in the order in which they are computed. */
export type ScopeReportView = z.infer<typeof ScopeReport>;
