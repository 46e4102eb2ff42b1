import { isDomainError } from '@headwater/core';
import { MAX_EXPIRY_DAYS, MOST_KEYS, type NewApiKeyRequest, type SessionPrincipal } from '@headwater/identity';
import type { z } from 'zod';
import type { ServiceDeps } from '../../../deps.ts';
import { prefixOf } from '../../../pages/layout.ts';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_RUN } from '../../../rows/example-world.ts';
import { operation, type Operation, urlOf } from '../../../rows/operation.ts';
import { filled, keptAddress } from '../../../screens/kept-form.ts';
import { fieldSentences } from '../../../screens/waiting.ts';
import { openForm } from '../../../screens/form-check.ts';
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
import { paths } from '../../../wire/paths.ts';
import { followEvents } from '../../runs/handlers/follow-run.ts';
import { namedRuns } from '../../runs/handlers/run-facts.ts';
import { RunEventsQuery, RunParams } from '../../runs/schemas/runs.ts';
import { refusedFormPage } from '../../sign-in/page/sign-in-page.ts';
import { type DashboardFacts, dashboardPage } from '../page/dashboard-page.ts';
import { DashboardQuery, KeyEndForm, KeyForm } from '../schemas.ts';

const RUNS = 10;

interface Shown extends Partial<Pick<DashboardFacts, 'made' | 'typed' | 'problems' | 'fieldProblems'>> {
  readonly principal: SessionPrincipal;
  readonly status?: number;
}

type Outcome = Omit<Shown, 'principal'>;

async function show(input: ScreenInput, deps: ServiceDeps, shown: Shown): Promise<Reply> {
  const {
    principal,
    status = 200,
    made,
    typed = { name: '', expiry_days: '' },
    problems = [],
    fieldProblems = {},
  } = shown;
  const caller = callerOf(principal);
  const [keys, runs] = await Promise.all([
    deps.apiKeys.list(caller),
    deps.runs.list(caller, { limit: RUNS, offset: 0 }),
  ]);
  const form = openForm(input, deps);
  const reader = readerOf(input, deps);
  const { user } = principal;
  const outcome = { made, typed, problems, fieldProblems };
  const around = { baseUrl: deps.baseUrl, now: deps.clock.now(), hasOwnSignIn: deps.screens.kind === 'own' };
  const facts = {
    user,
    token: form.token,
    keys,
    runs: await namedRuns(runs.runs, reader, deps),
    ...outcome,
    ...around,
  };
  return await screenReply(status, dashboardPage(reader, facts), form.headers);
}

const showDashboard = operation({
  ...SCREEN_ROW,
  id: 'showDashboard',
  method: 'GET',
  path: paths.dashboard,
  summary: 'Page of the signed-in user: API keys and runs; visitors are sent to the sign-in',
  query: DashboardQuery,
  responses: { 200: SCREEN_PAGE, 303: TO_ANOTHER_PAGE },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'of a visitor', status: 303 }],
  handler: (input, deps) =>
    forUser(input, deps, (principal) => {
      const { name, expiry_days } = input.query;
      return show(input, deps, { principal, typed: { name, expiry_days } });
    }),
});

const makeKey = operation({
  ...SCREEN_ROW,
  id: 'makeKeyByForm',
  method: 'POST',
  path: paths.dashboardKeys,
  summary: 'Makes an API key for the signed-in user and shows its text, once',
  body: { kind: 'fields', schema: KeyForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: () => paths.dashboard, refused: refusedFormPage, keepsTexts: true }),
  responses: {
    200: { description: 'The dashboard with the new key', media: ['text/html'] },
    303: TO_ANOTHER_PAGE,
    400: REFUSED_PAGE,
    403: REFUSED_PAGE,
    409: REFUSED_PAGE,
  },
  errors: BODY_ERRORS,
  examples: [{ name: 'of a program without a session', body: { name: 'field laptop' }, status: 403 }],
  handler: (input, deps) => {
    const { token, ...typed } = input.body;
    const back = keptAddress(paths.dashboard, { typed: filled(typed) });
    const act = async (principal: SessionPrincipal): Promise<Reply> =>
      await show(input, deps, { principal, ...(await newKey({ typed, principal }, input, deps)) });
    return forUserForm(input, deps, { token, back, refused: refusedFormPage, act });
  },
});

type TypedKey = Omit<z.infer<typeof KeyForm>, 'token'>;

async function newKey(
  { typed, principal }: { readonly typed: TypedKey; readonly principal: SessionPrincipal },
  input: ScreenInput,
  deps: ServiceDeps,
): Promise<Outcome> {
  const reader = readerOf(input, deps);
  const { say } = reader;
  const request = keyRequest(typed);
  if (request === undefined) {
    const sentence = say('wholeDays', { most: String(MAX_EXPIRY_DAYS) });
    return { status: 400, typed, problems: [say('correctFields')], fieldProblems: { expiry_days: [sentence] } };
  }
  try {
    const { text, key } = await deps.apiKeys.generate(callerOf(principal), request);
    return { made: { text, name: key.name } };
  } catch (error) {
    const fieldProblems = fieldSentences(error, reader);
    if (fieldProblems !== undefined) return { status: 400, typed, problems: [say('correctFields')], fieldProblems };
    if (!isDomainError(error) || error.code !== 'conflict') throw error;
    return { status: 409, typed, problems: [say('tooManyKeys', { most: String(MOST_KEYS) })] };
  }
}

/** The request for a key; undefined if its number of days is not valid. */
function keyRequest({ name, expiry_days: days }: TypedKey): NewApiKeyRequest | undefined {
  const named = name.trim() === '' ? {} : { name: name.trim() };
  if (days.trim() === '') return named;
  const expiryDays = /^\d{1,5}$/.test(days.trim()) ? Number(days) : 0;
  return expiryDays >= 1 && expiryDays <= MAX_EXPIRY_DAYS ? { ...named, expiryDays } : undefined;
}

const endKey = operation({
  ...SCREEN_ROW,
  id: 'endKeyByForm',
  method: 'POST',
  path: paths.dashboardKeyEnd,
  summary: 'Revokes an API key of the signed-in user',
  body: { kind: 'fields', schema: KeyEndForm, accepts: ['form', 'json'] },
  beforeBody: beforeForm({ back: () => paths.dashboard, refused: refusedFormPage }),
  responses: { 303: TO_ANOTHER_PAGE, 403: REFUSED_PAGE, 404: REFUSED_PAGE },
  errors: BODY_ERRORS,
  examples: [{ name: 'of a program without a session', body: {}, status: 403 }],
  handler: (input, deps) => {
    const { token, key } = input.body;
    const act = async (principal: SessionPrincipal): Promise<Reply> => {
      try {
        await deps.apiKeys.deactivate(callerOf(principal), { userId: principal.user.id, text: key });
      } catch (error) {
        if (!isDomainError(error) || error.code !== 'not_found') throw error;
        const problems = [readerOf(input, deps).say('keyGone')];
        return await show(input, deps, { principal, status: 404, problems });
      }
      return seeOther(`${prefixOf(deps.baseUrl)}${paths.dashboard}#keys`);
    };
    return forUserForm(input, deps, { token, back: paths.dashboard, refused: refusedFormPage, act });
  },
});

const followOwnRun = operation({
  ...SCREEN_ROW,
  id: 'followOwnRun',
  method: 'GET',
  path: paths.dashboardRunEvents,
  auth: 'watch',
  errorFormat: 'problem',
  summary: "Events of a run, for the run's page; authenticated by the session of the browser",
  params: RunParams,
  query: RunEventsQuery,
  responses: {
    200: { description: 'The stream', media: ['text/event-stream'] },
    204: { description: 'The run has ended and the client has all its events' },
  },
  errors: [...PARAMETER_ERRORS, 'not_authenticated', 'password_change_required', 'not_found', 'throttled'],
  examples: [{ name: 'without a session', params: { id: EXAMPLE_RUN }, status: 401 }],
  handler: ({ principal, params, query, headers, method, path, queryText, remoteAddress, signal }, deps) => {
    const request = { query, headers, method, url: urlOf({ path, queryText }), remoteAddress, signal };
    return followEvents({ ...request, principal: callerOf(principal), id: params.id, policy: 'watch' }, deps);
  },
});

/** Operations of the dashboard. */
export const dashboardOperations = [showDashboard, makeKey, endKey, followOwnRun] satisfies readonly Operation[];
