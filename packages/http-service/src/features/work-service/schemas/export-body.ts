import { isObject } from '@headwater/core/values';
import { z } from 'zod';
import { refuseDeep } from '../../../reading/json.ts';
import { type FieldsBody, fieldsBody } from '../../../seam/row-body.ts';
import { RequestError } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import { booleanOf, isGiven, unquoted } from './texts.ts';

/** A call of the work service: its members, and the options that were read from them. */
export interface ExportCall {
  /** All members that the caller sent, such as region, year and scheme. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly wait: boolean | undefined;
  readonly overwrite: boolean | undefined;
  /** Id that the caller sent for this call. The response has the same id. */
  readonly executionId: string | undefined;
  /** Id and token of an orchestrator's callback. */
  readonly callback: { readonly jobId: string; readonly runToken: string } | undefined;
}

type Members = ExportCall['members'];

const LONGEST_ID = 200;
const number = z.union([z.number(), z.string()]);

/** Documented members. Others are ignored, but a `roi_asset` in `conf` replaces the region of the body (`FORMS`). */
const Parameters = {
  region: z
    .union([z.array(number).length(4), z.string()])
    .nullish()
    .describe('West, south, east, north in degrees: a list, its JSON text, or four numbers separated by commas.'),
  west: number
    .nullish()
    .describe('Western side of the region, in degrees; with `south`, `east` and `north` instead of `region`.'),
  south: number.nullish().describe('Southern side of the region, in degrees.'),
  east: number.nullish().describe('Eastern side of the region, in degrees.'),
  north: number.nullish().describe('Northern side of the region, in degrees.'),
  year: number
    .nullish()
    .describe(
      'Hydrological year: 2021 is 1 July 2021 to 30 June 2022. Also "2021-2022". Default: the newest year with enough scenes.',
    ),
  start_year: number
    .nullish()
    .describe('Hydrological year, used if there is no `end_year`. Takes precedence over `year`.'),
  end_year: number.nullish().describe('Hydrological year. Takes precedence over `start_year` and `year`.'),
  base_scheme: z
    .string()
    .nullish()
    .describe('Name of the classification scheme; default: the first scheme of this service.'),
  execution_type: z.unknown().optional().describe('Sent by orchestrators; ignored.'),
  execution_id: z
    .union([z.string(), z.number()])
    .nullish()
    .describe('Any id that the caller chooses for this request; the response repeats it.'),
  wait: z
    .union([z.boolean(), z.string()])
    .nullish()
    .describe('false: respond at once, with `task_id`. The query takes precedence.'),
  overwrite: z
    .union([z.boolean(), z.string()])
    .nullish()
    .describe(
      'false: return a stored result with the same inputs. Default true: compute again, and replace the stored result in one step.',
    ),
  job_id: z
    .string()
    .nullish()
    .describe('Id of the run that the orchestrator computes. Send it together with `run_token`.'),
  run_token: z
    .string()
    .nullish()
    .describe('Token from the conf of the workflow. A call with a wrong token counts as a call without a token.'),
} as const;

const documented = z.looseObject({
  ...Parameters,
  conf: z
    .union([z.looseObject(Parameters), z.string()])
    .nullish()
    .describe(
      'An object with parameters, or its JSON text. These parameters take precedence over the parameters in the body.',
    ),
});

/** Query of `export-asset` by GET, without `job_id` and `run_token`, because addresses are logged. */
export const ExportGetQuery = z.looseObject(
  Object.fromEntries(
    Object.entries(Parameters)
      .filter(([name]) => name !== 'job_id' && name !== 'run_token')
      .map(([name, { description = '' }]) => [name, z.string().optional().describe(description)]),
  ),
);

/** Converts a query to a call. Throws `RequestError` with the names of unreadable members. */
export function queryCall(query: Members): ExportCall {
  const faults: Record<string, string[]> = {};
  const call = readCall(query, (name, sentence) => {
    faults[name] = [sentence];
  });
  if (Object.keys(faults).length > 0) throw new RequestError(faults);
  // An address may be logged, so a token in an address is ignored.
  return { ...call, callback: undefined };
}

const schema = z.unknown().transform((body, context): ExportCall => {
  if (!isObject(body)) {
    context.addIssue({ code: 'custom', path: [], message: sentences.notAnObject('nothing') });
    return z.NEVER;
  }
  return readCall(body, (name, message) => context.addIssue({ code: 'custom', path: [name], message }));
});

function readCall(body: Members, refuse: (name: string, sentence: string) => void): ExportCall {
  const members = joined(body, confOf(own(body, 'conf'), refuse) ?? {});
  const optionOf = (name: string): unknown => (isGiven(own(members, name)) ? own(members, name) : undefined);
  const flagOf = (name: string): boolean | undefined => {
    const value = optionOf(name);
    const flag = booleanOf(value);
    if (value !== undefined && flag === undefined) refuse(name, sentences.notBoolean);
    return flag;
  };
  const executionId = optionOf('execution_id');
  if (executionId !== undefined && textOf(executionId) === undefined)
    refuse('execution_id', sentences.tooLong(LONGEST_ID));
  return {
    members,
    wait: flagOf('wait'),
    overwrite: flagOf('overwrite'),
    executionId: textOf(executionId),
    callback: callbackOf(optionOf('job_id'), optionOf('run_token')),
  };
}

const FORMS = [
  ['region', 'roi_asset', 'west', 'south', 'east', 'north'],
  ['year', 'start_year', 'end_year'],
] as const;

/**
 * Joins `conf` and the body. A member of `conf` replaces the same parameter of the body, in each of its forms
 * (`FORMS`).
 */
function joined(body: Members, conf: Members): Members {
  const present = Object.entries(conf).filter(([, value]) => isGiven(value));
  const names = new Set(present.map(([name]) => name));
  const replaced = new Set<string>(FORMS.filter((forms) => forms.some((name) => names.has(name))).flat());
  const others = Object.entries(body).filter(([name]) => name !== 'conf' && !replaced.has(name));
  return Object.fromEntries([...others, ...present]);
}

/** Reads `conf`, an object or its JSON text, which some workflow templates send. */
function confOf(conf: unknown, refuse: (name: string, sentence: string) => void): Members | undefined {
  if (isObject(conf)) return conf;
  if (typeof conf !== 'string' || !conf.trimStart().startsWith('{')) return undefined;
  try {
    const parsed = refuseDeep(JSON.parse(conf));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    refuse('conf', sentences.noObjectText);
    return undefined;
  }
}

/** The body of `export-asset`. */
export const exportBody: FieldsBody<ExportCall> = { ...fieldsBody(schema, { refusesEmpty: true }), documented };

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= LONGEST_ID ? text : undefined;
}

function callbackOf(jobId: unknown, runToken: unknown): ExportCall['callback'] {
  const [job, token] = [textOf(jobId), textOf(runToken)];
  return job === undefined || token === undefined ? undefined : { jobId: unquoted(job), runToken: unquoted(token) };
}
