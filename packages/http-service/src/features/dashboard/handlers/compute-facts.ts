import {
  type AnyPipeline,
  type DomainError,
  invalidField,
  isDomainError,
  type Place,
  placeFields,
} from '@headwater/core';
import type { ScopeArea } from '@headwater/core/runs';
import type { SessionPrincipal } from '@headwater/identity';
import type { ServiceDeps } from '../../../deps.ts';
import { listingOf } from '../../../items/pipeline-listing.ts';
import type { Field } from '../../../pages/form-parts.ts';
import type { MapBox } from '../../../pages/places-map.ts';
import { parameterLabel, sentenceIn, translated } from '../../../pages/texts.ts';
import { computeAddress } from '../../../screens/compute-address.ts';
import type { Reader } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import { toWire } from '../../../wire/wire-error.ts';
import { type FormParameter, formParameters, readWireParameters } from '../../runs/schemas/parameters.ts';
import { findExampleNames } from '../../system/handlers/example-names.ts';
import type { AreaSentences, ComputePageFacts, ListedLayer } from '../page/compute-page.ts';
import { checkRun, REFUSALS, type Checked } from './checked-run.ts';
import { chosenPlace, placeChoices, type SentPlace } from './place-choices.ts';

/** Typed values: place, layer and step, and the parameters of the layer. */
export interface TypedComputation {
  readonly q: string;
  readonly box: MapBox | undefined;
  readonly sent: SentPlace;
  readonly layer: string;
  /** `none`: not sent; `check`: sent for a check; `estimate`: sent for a check with estimate. */
  readonly step: 'none' | 'check' | 'estimate';
  readonly values: Readonly<Record<string, string>>;
  readonly lang: string;
}

/** Error with which a start was refused. */
export interface Refused {
  readonly error: DomainError;
}

const PLACE: ReadonlySet<string> = new Set(Object.keys(placeFields));
const PLACE_NAMES: ReadonlySet<string> = new Set(['state', 'district', 'block', 'tehsil']);
const LABELS = { startYear: 'startYear', endYear: 'endYear', eoAccountId: 'eoAccount' } as const;
const HINTS = { startYear: 'startYearHint', endYear: 'endYearHint' } as const;

/**
 * Pipelines that compute a tehsil, without those that require a JSON parameter. The form has no input for lists and
 * objects; an optional JSON parameter is typed as text.
 */
export function computable({ pipelines }: Pick<ServiceDeps, 'pipelines'>): readonly AnyPipeline[] {
  return pipelines.filter(
    ({ request }) =>
      Object.hasOwn(request.shape, 'tehsil') &&
      formParameters(request, PLACE).every(({ kind, isRequired }) => kind !== 'json' || !isRequired),
  );
}

/** The typed request, parsed by the pipeline's schema. Throws `validation` with the names of the form's fields. */
export function typedRequest(
  { request }: Pick<AnyPipeline, 'request'>,
  { sent, values }: Pick<TypedComputation, 'sent' | 'values'>,
): Readonly<Record<string, unknown>> {
  const { state, district, tehsil: block } = sent;
  const filled = Object.entries({ ...values, state, district, block }).filter(([, value]) => value.trim() !== '');
  return readWireParameters(request, Object.fromEntries(filled));
}

/** Data of the page that starts a computation. `refused`: the error of a refused start. */
export async function computeFacts(
  { reader, principal, typed, refused, signal }: Shown,
  deps: ServiceDeps,
): Promise<ComputePageFacts> {
  const { user } = principal;
  const { prefix, say } = reader;
  const { sent, layer, lang, q, box } = typed;
  const at = (fields: Readonly<Record<string, string>>): string => prefix + computeAddress({ ...fields, lang });
  const status = refused === undefined ? undefined : toWire(refused.error).status;
  const action = prefix + paths.dashboardCompute;
  const shared = { reader, version: deps.version, action, kept: { lang, layer }, status };
  if (!user.mayCompute && !user.isSuperuser) return { ...shared, sentences: [say('mayNotCompute')] };
  if (!deps.canCompute) return { ...shared, sentences: [say('computesNothing')] };
  const offered = computable(deps);
  const pipeline = offered.find(({ name }) => name === layer);
  const unknown = layer === '' || pipeline !== undefined ? [] : [say('unknownLayer', { name: layer })];
  const chosen = await chosenPlace(deps, sent);
  if (chosen?.place === undefined) {
    const narrowing = {
      sent,
      text: q,
      box,
      at: (fields: Readonly<Record<string, string>>) => at({ ...fields, layer }),
    };
    const choices = await placeChoices(deps, narrowing);
    const sentences = [...(chosen === undefined ? [] : [chosen.sentence]), ...unknown];
    return { ...shared, sentences, choices, wanted: pipeline && listingOf(pipeline, reader.language).title };
  }
  const { place, km2 } = chosen;
  const names = namesOf(place);
  const shownPlace = { ...names, km2, change: at({ layer, state: names.state, district: names.district }) };
  if (pipeline === undefined) {
    const layers = offered.map((each) => layerOf(each, reader, (name) => at({ ...names, layer: name })));
    return { ...shared, sentences: [...noBoundary(place, deps), ...unknown], place: shownPlace, layers };
  }
  const { change, ...listed } = { ...layerOf(pipeline, reader, () => ''), change: at({ ...names }) };
  const outcome = await outcomeOf(
    { reader, principal, pipeline, km2, refused, signal, typed: { ...typed, sent: names } },
    deps,
  );
  const values = typed.step === 'none' ? { ...(await usualValues(pipeline, deps)), ...typed.values } : typed.values;
  const problems = outcome?.problems ?? {};
  return {
    ...shared,
    status: outcome?.status ?? status,
    headers: outcome?.headers,
    sentences: [...noBoundary(place, deps), ...(outcome?.sentences ?? [])],
    place: shownPlace,
    layer: { ...listed, change },
    fields: [
      scopeField({ reader, values }, names),
      ...(await fieldsOf(pipeline, { reader, user: principal.user, values, problems }, deps)),
    ],
    checked: outcome?.checked && { ...outcome.checked, area: areaNotes(reader, typed, names) },
    back: at({ ...names, layer, ...typed.values }),
    sent: { ...names, layer, ...(lang === '' ? {} : { lang }), ...typed.values },
  };
}

interface Shown {
  readonly reader: Reader;
  readonly principal: SessionPrincipal;
  readonly typed: TypedComputation;
  readonly refused: Refused | undefined;
  readonly signal: AbortSignal;
}

const namesOf = ({ state, district, tehsil }: Place): SentPlace => ({
  state: state.name,
  district: district.name,
  tehsil: tehsil.name,
});

function noBoundary({ tehsil }: Place, { remedies }: Pick<ServiceDeps, 'remedies'>): readonly string[] {
  return tehsil.geometry === null ? [`${tehsil.name} has no boundary polygons; ${remedies.placeData}`] : [];
}

function layerOf(pipeline: AnyPipeline, { language }: Reader, hrefOf: (name: string) => string): ListedLayer {
  return { ...listingOf(pipeline, language), href: hrefOf(pipeline.name) };
}

/** Initial values of the form: years, and an Earth-observation account of this service. */
async function usualValues(pipeline: AnyPipeline, deps: ServiceDeps): Promise<Readonly<Record<string, string>>> {
  const known = await deps.documents.known(() => findExampleNames(deps));
  const example = { ...exampleBody(pipeline.examples[0]?.request), ...known.body };
  return Object.fromEntries(
    formParameters(pipeline.request, PLACE)
      .filter(({ field }) => Object.hasOwn(LABELS, field))
      .flatMap(({ name }) => {
        const value = example[name];
        return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
      }),
  );
}

interface FieldState {
  readonly reader: Reader;
  readonly user: SessionPrincipal['user'];
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, readonly string[]>>;
}

type Choice = NonNullable<Field['choices']>[number];

const SCOPE = 'scope';

function scopeField(
  { reader: { say }, values }: Pick<FieldState, 'reader' | 'values'>,
  { state, district, tehsil }: SentPlace,
): Field {
  const choices = [
    { value: 'tehsil', label: say('scopeTehsil', { name: tehsil }) },
    { value: 'district', label: say('scopeDistrict', { name: district }) },
    { value: 'state', label: say('scopeState', { name: state }) },
  ];
  return {
    name: SCOPE,
    label: say('scopeLabel'),
    type: 'select',
    choices,
    value: values[SCOPE] ?? 'tehsil',
    autocomplete: 'off',
  };
}

const areaNotes = ({ say }: Reader, { values }: TypedComputation, sent: SentPlace): AreaSentences | undefined =>
  typedArea({ values, sent }) === undefined
    ? undefined
    : { eachTehsil: say('scopeEach'), figuresOfOne: say('scopeNote', { name: sent.tehsil }) };

/** The chosen district or state; undefined for one tehsil. */
export function typedArea({ values, sent }: Pick<TypedComputation, 'values' | 'sent'>): ScopeArea | undefined {
  const { state, district } = sent;
  const scope = values[SCOPE];
  if (scope === 'district') return { scope, state, district };
  return scope === 'state' ? { scope, state } : undefined;
}

/** Does the same as `typedArea`, but throws `validation` for an unknown scope, which only a program can send. */
export function checkedArea(typed: Pick<TypedComputation, 'values' | 'sent'>): ScopeArea | undefined {
  const scope = typed.values[SCOPE] ?? '';
  if (['', 'tehsil', 'district', 'state'].includes(scope)) return typedArea(typed);
  throw invalidField(SCOPE, 'is not known; choose tehsil, district or state');
}

async function fieldsOf(
  pipeline: AnyPipeline,
  state: FieldState,
  { eoAccess }: ServiceDeps,
): Promise<readonly Field[]> {
  const { say } = state.reader;
  const parameters = formParameters(pipeline.request, PLACE);
  const isNeeded = parameters.some(({ field }) => field === 'eoAccountId');
  const accounts = isNeeded ? await eoAccess.listFor(state.user) : [];
  const shown = await Promise.all(
    accounts.map(async (each): Promise<Choice> => {
      const problem = (await eoAccess.problemOf(each)) === undefined ? '' : ` (${say('notUsable')})`;
      return { value: String(each.id), label: `${each.id}: ${each.name}${problem}` };
    }),
  );
  return parameters.map((each) => fieldOf(each, state, shown));
}

function fieldOf(
  parameter: FormParameter,
  { reader, values, problems }: FieldState,
  accounts: readonly Choice[],
): Field {
  const { say, language } = reader;
  const { field, name, isRequired, kind, description, options } = parameter;
  const own = hasOwn(LABELS, field) ? say(LABELS[field]) : undefined;
  const hint = hasOwn(HINTS, field)
    ? say(HINTS[field])
    : [
        description === undefined ? '' : (translated(description, language) ?? description),
        kind === 'json' ? say('asJson') : '',
      ].join(' ');
  const shared = {
    name,
    label: own ?? parameterLabel(name, language),
    value: values[name] ?? '',
    autocomplete: 'off',
    isRequired,
    problems: problems[name] ?? problems[field] ?? [],
  };
  if (field === 'eoAccountId')
    return { ...shared, type: 'select', choices: accounts, ...(accounts.length === 0 && { hint: say('noEoAccount') }) };
  const choices = options?.map((each) => ({ value: each, label: each }));
  return {
    ...shared,
    ...(choices !== undefined && { type: 'select' as const, choices }),
    ...(hint.trim() !== '' && { hint: hint.trim() }),
    ...(kind === 'number' && { type: 'number' as const }),
  };
}

const hasOwn = <T extends object>(names: T, name: PropertyKey): name is keyof T => Object.hasOwn(names, name);

interface Outcome extends Partial<Checked> {
  readonly sentences?: readonly string[];
  readonly problems?: Readonly<Record<string, readonly string[]>>;
}

interface ToCheck extends Omit<Shown, 'typed'> {
  readonly pipeline: AnyPipeline;
  readonly km2: number | undefined;
  readonly typed: TypedComputation;
}

async function outcomeOf(check: ToCheck, deps: ServiceDeps): Promise<Outcome | undefined> {
  const { reader, pipeline, refused, typed } = check;
  if (refused !== undefined) return refusal(refused.error, reader);
  if (typed.step === 'none') return undefined;
  try {
    const area = checkedArea(typed);
    const request = typedRequest(pipeline, typed);
    return await checkRun({ ...check, request, area, isEstimated: typed.step === 'estimate' }, deps);
  } catch (error) {
    if (!isDomainError(error) || !REFUSALS.has(error.code)) throw error;
    return refusal(error, reader);
  }
}

function refusal(error: DomainError, { say, language }: Reader): Outcome {
  const { status, message, fields } = toWire(error);
  const problems = Object.fromEntries(
    Object.entries(fields).map(([name, own]) => [name, own.map((each) => sentenceIn(each, language))]),
  );
  const names = Object.keys(problems);
  const isOfFields = names.length > 0 && names.every((name) => !PLACE_NAMES.has(name));
  return { status, sentences: [isOfFields ? say('correctFields') : message], problems };
}
