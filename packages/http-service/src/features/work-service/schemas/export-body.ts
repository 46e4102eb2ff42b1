import { isObject } from '@headwater/core/values';
import { z } from 'zod';
import { refuseDeep } from '../../../reading/json.ts';
import { type FieldsBody, fieldsBody } from '../../../seam/row-body.ts';
import { RequestError } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import { booleanOf, isGiven, unquoted } from './texts.ts';

/** A call of the work service: what it says of itself, and the parameters, which are read when they are needed. */
export interface ExportCall {
  /** Region, year and scheme, and whatever else came with them. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly wait: boolean | undefined;
  readonly overwrite: boolean | undefined;
  /** The caller's own id, echoed. */
  readonly executionId: string | undefined;
  /** The run of ours for which an orchestrator calls, with the token that it was given; undefined for any other call. */
  readonly callback: { readonly jobId: string; readonly runToken: string } | undefined;
}

type Members = ExportCall['members'];

const LONGEST_ID = 200;
const number = z.union([z.number(), z.string()]);

/** What a call may say, for the reference; whatever else it says is ignored. */
const Parameters = {
  region: z
    .union([z.array(number).length(4), z.string()])
    .nullish()
    .describe('West, south, east, north in degrees: a list, its JSON text, or four numbers with commas between.'),
  west: number
    .nullish()
    .describe('Western side of the region, in degrees; with `south`, `east` and `north` in place of `region`.'),
  south: number.nullish().describe('Southern side of the region, in degrees.'),
  east: number.nullish().describe('Eastern side of the region, in degrees.'),
  north: number.nullish().describe('Northern side of the region, in degrees.'),
  year: number.nullish().describe('Hydrological year: 2021 is 1 July 2021 to 30 June 2022. Also "2021-2022".'),
  start_year: number.nullish().describe('Decides where there is no `end_year`; `year` where there is neither.'),
  end_year: number.nullish().describe('Decides before `start_year` and `year`.'),
  base_scheme: z
    .string()
    .nullish()
    .describe('Name of the classification scheme; default: the first that this service has.'),
  execution_type: z.unknown().optional().describe('As orchestrators send it; ignored.'),
  execution_id: z.union([z.string(), z.number()]).nullish().describe("The caller's own id, echoed."),
  wait: z
    .union([z.boolean(), z.string()])
    .nullish()
    .describe('false: answer at once, with `task_id`. The query decides before it.'),
  overwrite: z
    .union([z.boolean(), z.string()])
    .nullish()
    .describe(
      'false: a stored result with equal inputs answers. Default true: computed anew, and replaced in one step.',
    ),
  job_id: z
    .string()
    .nullish()
    .describe('With `run_token`: the run of this service for which an orchestrator calls back.'),
  run_token: z
    .string()
    .nullish()
    .describe('As the conf of the trigger had it. With another one the call counts as one without.'),
} as const;

const documented = z.looseObject({
  ...Parameters,
  conf: z
    .union([z.looseObject(Parameters), z.string()])
    .nullish()
    .describe('Where it is an object, or the JSON text of one, it stands in place of the body.'),
});

/** Query of `export-asset` by GET: the same, as texts, without `conf`, and without what must not stand in an address. */
export const ExportGetQuery = z.looseObject(
  Object.fromEntries(
    Object.entries(Parameters)
      .filter(([name]) => name !== 'job_id' && name !== 'run_token')
      .map(([name, { description = '' }]) => [name, z.string().optional().describe(description)]),
  ),
);

/** The call that a query makes. Throws `RequestError` naming what cannot be read. */
export function queryCall(query: Members): ExportCall {
  const faults: Record<string, string[]> = {};
  const call = readCall(query, (name, sentence) => {
    faults[name] = [sentence];
  });
  if (Object.keys(faults).length > 0) throw new RequestError(faults);
  // Addresses are logged on their way: a token in one opens nothing.
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
  const members = confOf(own(body, 'conf'), refuse) ?? body;
  // What a call says of itself is also heard beside `conf`: only parameters stand in it.
  const said = (name: string): unknown => [members, body].map((each) => own(each, name)).find(isGiven);
  const yesOrNo = (name: string): boolean | undefined => {
    const value = said(name);
    const read = booleanOf(value);
    if (value !== undefined && read === undefined) refuse(name, sentences.notBoolean);
    return read;
  };
  const executionId = said('execution_id');
  if (executionId !== undefined && textOf(executionId) === undefined)
    refuse('execution_id', sentences.tooLong(LONGEST_ID));
  return {
    members,
    wait: yesOrNo('wait'),
    overwrite: yesOrNo('overwrite'),
    executionId: textOf(executionId),
    callback: callbackOf(said('job_id'), said('run_token')),
  };
}

/** The members of a conf: of an object, or of its JSON text, which is what some templates of workflows make of it. */
function confOf(conf: unknown, refuse: (name: string, sentence: string) => void): Members | undefined {
  if (isObject(conf)) return conf;
  if (typeof conf !== 'string' || !conf.trimStart().startsWith('{')) return undefined;
  try {
    const read = refuseDeep(JSON.parse(conf));
    return isObject(read) ? read : undefined;
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
