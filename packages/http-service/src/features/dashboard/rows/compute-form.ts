import { isDomainError } from '@headwater/core';
import type { SessionPrincipal } from '@headwater/identity';
import type { ServiceDeps } from '../../../deps.ts';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { addressWith } from '../../../pages/parts.ts';
import { openForm } from '../../../screens/form-check.ts';
import { filled, keptAddress } from '../../../screens/kept-form.ts';
import {
  readerOf,
  REFUSED_PAGE,
  SCREEN_PAGE,
  SCREEN_ROW,
  type ScreenInput,
  screenReply,
  seeOther,
  TO_ANOTHER_PAGE,
} from '../../../screens/replies.ts';
import { beforeForm, callerOf, forUser, forUserForm } from '../../../screens/signed-in.ts';
import type { Reply } from '../../../seam/reply.ts';
import { fill, paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import { startComputation, startScope } from '../../runs/handlers/start-computation.ts';
import { refusedFormPage } from '../../sign-in/page/sign-in-page.ts';
import {
  computable,
  computeFacts,
  type Refused,
  type TypedComputation,
  checkedArea,
  typedRequest,
} from '../handlers/compute-facts.ts';
import { REFUSALS } from '../handlers/checked-run.ts';
import type { SentPlace } from '../handlers/place-choices.ts';
import { computePage } from '../page/compute-page.ts';
import { CHECK, ComputeForm, ComputeFormQuery, ESTIMATE } from '../schemas.ts';

interface Shown {
  readonly principal: SessionPrincipal;
  readonly typed: TypedComputation;
  readonly refused?: Refused;
  readonly status?: number;
}

async function show(
  input: ScreenInput & { readonly signal: AbortSignal },
  deps: ServiceDeps,
  shown: Shown,
): Promise<Reply> {
  const { principal, typed, refused, status = 200 } = shown;
  const reader = readerOf(input, deps);
  const facts = await computeFacts({ reader, principal, typed, refused, signal: input.signal }, deps);
  const form = openForm(input, deps);
  return await screenReply(facts.status ?? status, computePage(facts, form.token), {
    ...form.headers,
    ...facts.headers,
  });
}

/** Fields of the form. All fields that this type does not name are parameters of the layer. */
interface FormFields extends SentPlace, Pick<TypedComputation, 'q' | 'box' | 'layer'> {
  readonly check: string;
  readonly lang?: Language | undefined;
  readonly [parameter: string]: unknown;
}

function typedBy(fields: FormFields): TypedComputation {
  const { q, box, state, district, tehsil, layer, check, lang = '', next: _, ...others } = fields;
  const values = Object.entries(others).filter((each): each is [string, string] => typeof each[1] === 'string');
  return {
    q,
    box,
    sent: { state, district, tehsil },
    layer,
    step: check === '' ? 'none' : check === ESTIMATE ? 'estimate' : 'check',
    values: Object.fromEntries(values),
    lang,
  };
}

const showComputeForm = operation({
  ...SCREEN_ROW,
  id: 'showComputeForm',
  method: 'GET',
  path: paths.dashboardCompute,
  summary:
    'Form with which a signed-in user starts a computation: place, layer, parameters, and a last page before the start',
  description: 'All other parameters of the query are parameters of the layer, with their names in the API.',
  query: ComputeFormQuery,
  responses: {
    200: SCREEN_PAGE,
    303: TO_ANOTHER_PAGE,
    400: REFUSED_PAGE,
    404: REFUSED_PAGE,
    409: REFUSED_PAGE,
  },
  errors: [...PARAMETER_ERRORS, 'unavailable'],
  examples: [{ name: 'of a visitor', status: 303 }],
  handler: (input, deps) =>
    forUser(input, deps, (principal) =>
      show(input, deps, { principal, typed: typedBy({ ...input.query, box: input.query.box }) }),
    ),
});

const startByForm = operation({
  ...SCREEN_ROW,
  id: 'startByForm',
  method: 'POST',
  path: paths.dashboardCompute,
  summary: 'Starts a computation for the signed-in user, as the route of its layer does, or estimates its work',
  description: 'All other fields are parameters of the layer, with their names in the API.',
  body: { kind: 'fields', schema: ComputeForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: () => paths.dashboardCompute, refused: refusedFormPage, keepsTexts: true }),
  responses: {
    200: SCREEN_PAGE,
    303: TO_ANOTHER_PAGE,
    400: REFUSED_PAGE,
    403: REFUSED_PAGE,
    404: REFUSED_PAGE,
    409: REFUSED_PAGE,
    429: REFUSED_PAGE,
    503: REFUSED_PAGE,
  },
  errors: [...BODY_ERRORS, 'throttled', 'unavailable'],
  examples: [{ name: 'of a program without a session', body: {}, status: 403 }],
  handler: (input, deps) => {
    const { token, with_dependencies: withNeeds, check, ...fields } = input.body;
    const typed = typedBy({ ...fields, q: '', box: undefined, check: check === ESTIMATE ? ESTIMATE : CHECK });
    const { sent, layer, values, lang } = typed;
    const kept = filled({ ...sent, layer, ...values, lang, check: CHECK });
    const back = keptAddress(paths.dashboardCompute, { typed: kept });
    const act = async (principal: SessionPrincipal): Promise<Reply> => {
      try {
        const pipeline = computable(deps).find(({ name }) => name === layer);
        if (pipeline === undefined) return await show(input, deps, { principal, typed, status: 400 });
        if (typed.step === 'estimate') return await show(input, deps, { principal, typed });
        const request = typedRequest(pipeline, typed);
        const options = { requestId: input.requestId, withDependencies: withNeeds === 'true' };
        const call = { principal: callerOf(principal), pipeline, request, options };
        const area = checkedArea(typed);
        const { run } = await (area === undefined ? startComputation(deps, call) : startScope(deps, { ...call, area }));
        const page = readerOf(input, deps).prefix + fill(paths.run, { id: run.id });
        return seeOther(lang === '' ? page : addressWith(page, { lang }));
      } catch (error) {
        if (!isDomainError(error) || !REFUSALS.has(error.code)) throw error;
        return await show(input, deps, { principal, typed, refused: { error } });
      }
    };
    return forUserForm(input, deps, { token, back, refused: refusedFormPage, act });
  },
});

/** Operations of the form that starts a computation. */
export const computeFormOperations = [showComputeForm, startByForm] satisfies readonly Operation[];
