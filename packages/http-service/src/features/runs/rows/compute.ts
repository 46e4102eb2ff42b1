import type { AnyPipeline, Run } from '@headwater/core';
import { hasEnded, type ScopeArea } from '@headwater/core/runs';
import { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { BODY_ERRORS, COMPUTING_ERRORS, ok } from '../../../rows/common.ts';
import { operation, type Operation, type OperationExample } from '../../../rows/operation.ts';
import { json, type Reply } from '../../../seam/reply.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import { computePath } from '../../../wire/paths.ts';
import { badMember } from '../../../wire/request-error.ts';
import { endedRun } from '../handlers/ended-run.ts';
import { publishedBy, runFailed } from '../handlers/run-body.ts';
import { dryRun } from '../handlers/dry-run.ts';
import { startComputation, startScope } from '../handlers/start-computation.ts';
import {
  acceptedBody,
  type AnswerDetails,
  ComputeAccepted,
  ComputeQuery,
  type Scope,
  ComputeSuccess,
  successBody,
} from '../schemas/compute.ts';
import { DryRun } from '../schemas/dry-run.ts';
import { computeBody } from '../schemas/pipeline-body.ts';
import { runView } from '../schemas/run-view.ts';

/** A String of Structured Fields (RFC 9651, 3.3.3), as in draft-ietf-httpapi-idempotency-key-header. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** A key without quotation marks, which many clients send. */
const BARE = /^[!#-+\--:<-~]+$/;
const MAX_KEY_LENGTH = 255;

/** Reads the key of an `Idempotency-Key` header. Throws `validation` for an invalid key. */
function idempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = (typeof header === 'string' ? header : header.join(', ')).trim();
  const key = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? BARE.exec(text)?.[0] ?? '';
  if (key !== '' && key.length <= MAX_KEY_LENGTH) return key;
  throw badMember(
    'Idempotency-Key',
    `Send one key of 1 to ${MAX_KEY_LENGTH} characters in quotes, such as "8e03978e-40d5".`,
  );
}

const ABOUT =
  'If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); ' +
  '`overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; ' +
  '`with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response ' +
  'as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202.';

const ABOUT_SCOPE =
  ' `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. ' +
  'Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.';

const RUN_ERRORS = [
  'key_reused',
  'throttled',
  'not_found',
  'conflict',
  'missing_layer',
  'dependency_failed',
  'cancelled',
  'crashed_repeatedly',
  'upstream_failed',
  'upstream_timeout',
  'input_data',
  'no_scenes',
  'storage_full',
  'unavailable',
  'internal',
] as const;

const SCOPES = ['tehsil', 'district', 'state'] as const;

const FOR_TEHSIL = /_for_tehsil$/;

/**
 * POST operations: one for each route and alias of each pipeline. If the request names a tehsil and the route
 * ends in `_for_tehsil`, two more operations compute a district and a state.
 */
export function computeOperations(pipelines: readonly AnyPipeline[]): readonly Operation[] {
  return pipelines.flatMap((pipeline) =>
    [pipeline.route, ...pipeline.aliases].flatMap((route) => {
      const scopes: readonly [Scope, ...Scope[]] = hasPlace(pipeline) ? SCOPES : ['tehsil'];
      if (scopes.length === 1 || !FOR_TEHSIL.test(route)) return [computeRow(pipeline, route, scopes)];
      const larger = (['district', 'state'] as const).map((scope) =>
        computeRow(pipeline, route.replace(FOR_TEHSIL, `_for_${scope}`), [scope]),
      );
      return [computeRow(pipeline, route, scopes), ...larger];
    }),
  );
}

const hasPlace = ({ request }: AnyPipeline): boolean =>
  ['state', 'district', 'tehsil'].every((field) => Object.hasOwn(request.shape, field));

/**
 * Description of a route. Only the pipeline's own route has the complete description, to which all other routes refer.
 */
function aboutRoute(pipeline: AnyPipeline, route: string, [scope]: readonly [Scope, ...Scope[]]): string {
  if (scope !== 'tehsil')
    return `Same as ${computePath(pipeline.route)} with \`scope=${scope}\`: computes all tehsils of the ${scope}.`;
  if (route !== pipeline.route) return `Same as ${computePath(pipeline.route)}.`;
  return hasPlace(pipeline) ? ABOUT + ABOUT_SCOPE : ABOUT;
}

// Schema of the response. It is created once for all services, because each new schema is converted again for the
// OpenAPI document.
const ComputeResult = z.union([ComputeSuccess, DryRun]);

function computeRow(pipeline: AnyPipeline, route: string, scopes: readonly [Scope, ...Scope[]]): Operation {
  return operation({
    id: `compute_${route}`,
    method: 'POST',
    path: computePath(route),
    auth: 'computing',
    tag: 'computing',
    summary: pipeline.summary,
    description: aboutRoute(pipeline, route, scopes),
    query: ComputeQuery,
    body: computeBody(pipeline.request, scopes),
    responses: {
      202: ok('The run is stored; Location is its address', ComputeAccepted),
      200: ok(
        'With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work',
        ComputeResult,
      ),
    },
    errors: [...COMPUTING_ERRORS, ...BODY_ERRORS, ...RUN_ERRORS],
    errorFormat: 'compute',
    noStore: true,
    examples: examplesOf(pipeline, scopes),
    async handler({ principal, query, body, headers, signal, requestId }, deps) {
      const { request, wait, executionId } = body;
      const key = idempotencyKey(headers['idempotency-key']);
      const options = {
        requestId,
        overwrite: query.overwrite ?? body.overwrite,
        withDependencies: query.with_dependencies ?? body.withDependencies,
        ...(key === undefined ? {} : { key }),
      };
      const { scope } = body;
      const call = { principal, pipeline, request, options };
      const area = scope === 'tehsil' ? undefined : areaOf(scope, request);
      if (query.dry_run === true) return json(200, await dryRun(deps, { ...call, area }, signal));
      const started = await (area === undefined ? startComputation(deps, call) : startScope(deps, { ...call, area }));
      const { run, joined, reused } = started;
      const { initiated, finished } = pipeline.messages;
      const { hostingPlatform } = deps;
      const details = { joined, reused, executionId: executionId ?? run.id, hostingPlatform };
      const needsResult = area === undefined && (run.state === 'success' || (query.wait ?? wait));
      const ended = needsResult ? await endOf(run, { left: signal, userId: principal.user.id }, deps) : undefined;
      if (ended === undefined) return accepted(run, { ...details, message: initiated }, deps);
      return success(ended, { ...details, message: finished }, deps);
    },
  });
}

function areaOf(scope: ScopeArea['scope'], { state, district }: Readonly<Record<string, unknown>>): ScopeArea {
  const named = { scope, state: String(state) };
  return scope === 'district' ? { ...named, district: String(district) } : named;
}

interface Waiting {
  readonly left: AbortSignal;
  readonly userId: number;
}

// Waits until the run ends. Throws `unavailable` if the client disconnects or the service closes. Returns undefined at
// once if the account has too many open responses.
async function endOf(
  run: Run,
  { left, userId }: Waiting,
  deps: Ports<'baseUrl' | 'closing' | 'openResponses' | 'runs'>,
): Promise<Run | undefined> {
  if (hasEnded(run)) return run;
  const done = new AbortController();
  const signal = AbortSignal.any([left, deps.closing, done.signal]);
  try {
    const { self } = runView(run, deps.baseUrl).links;
    return deps.openResponses.take(userId, signal) ? await endedRun(run, { left, address: self }, deps) : undefined;
  } finally {
    done.abort();
  }
}

function accepted(run: Run, details: AnswerDetails, { baseUrl }: Ports<'baseUrl'>): Reply {
  return json(202, acceptedBody(run, details), { location: runView(run, baseUrl).links.self });
}

async function success(
  run: Run,
  details: AnswerDetails,
  deps: Ports<'baseUrl' | 'mapServer' | 'publication' | 'stores'>,
): Promise<Reply> {
  const view = runView(run, deps.baseUrl);
  if (run.state !== 'success') throw runFailed(run, view);
  const { replacedYears, ...published } = await publishedBy(run, deps);
  // A reused result has no notice, because the run of an earlier request replaced the years.
  const yearTexts = details.reused ? [] : replacedYears;
  const message = [details.message, ...yearTexts].join('. ');
  return json(200, successBody(run, { ...details, ...published, message }, view), { location: view.links.self });
}

/**
 * Examples of a route, including refused requests. The first example of the pipeline does not wait for its run; all its
 * other examples do.
 */
function examplesOf(
  { examples, request }: AnyPipeline,
  [scope, ...more]: readonly [Scope, ...Scope[]],
): readonly OperationExample[] {
  const refused = { name: 'no object', body: [], status: 400 };
  const [first] = examples;
  const { state, district, block: _, ...rest } = exampleBody(first?.request);
  const ofDistrict = { ...rest, state, district };
  if (scope !== 'tehsil') {
    const body = scope === 'state' ? { ...rest, state } : ofDistrict;
    return [{ name: `all tehsils of a ${scope}`, body, status: 202 }, refused];
  }
  const larger = { name: 'all tehsils of a district', body: { ...ofDistrict, scope: 'district' }, status: 202 };
  const works = examples.map(({ name, request }, index): OperationExample => {
    const body = exampleBody(request);
    return index === 0 ? { name, body, status: 202 } : { name, query: { wait: 'true' }, body, status: 200 };
  });
  // If no field is required, an empty body is valid.
  const lacksFields = !request.safeParse({}).success;
  return [
    ...works,
    ...(more.length > 0 && first !== undefined ? [larger] : []),
    ...(lacksFields ? [{ name: 'fields missing', body: {}, status: 400 }] : []),
    refused,
  ];
}
