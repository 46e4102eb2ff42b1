import { html } from 'hono/html';
import { type Field, field, hidden, notices } from '../../../pages/form-parts.ts';
import { foot, type Html, page } from '../../../pages/layout.ts';
import { crumbs, facts, inChosen } from '../../../pages/parts.ts';
import { durationText, sizeText } from '../../../pages/words.ts';
import type { ListedPipeline } from '../../../items/pipeline-listing.ts';
import type { ExpectedWork } from '../../runs/handlers/expected-work.ts';
import type { Reader } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';
import { CHECK, ESTIMATE } from '../schemas.ts';
import { estimateSection, type ShownEstimate } from './estimate-table.ts';
import { type PlaceChoices, placeStep, placeStepTitle } from './place-step.ts';

/** A layer in the list. */
export interface ListedLayer extends ListedPipeline {
  readonly href: string;
}

/** Sentences about a request for a district or a state. */
export interface AreaSentences {
  /** Sentence: each tehsil is computed in a run of its own. */
  readonly eachTehsil: string;
  /** Sentence: the expected work is the work for one tehsil. */
  readonly figuresOfOne: string;
}

/** Outcome of the check before the start. */
export interface CheckedRun {
  readonly makers: readonly Pick<ListedPipeline, 'title' | 'lang'>[];
  readonly canStart: boolean;
  readonly why: string | undefined;
  /**
   * Expected work, derived from an earlier run of the layer. Undefined without such a run, for a place without a
   * boundary, and if `estimate` has figures.
   */
  readonly expected: ExpectedWork | undefined;
  /** Requested estimate, or the reason why there is none. Its figures replace the expected work. */
  readonly estimate: ShownEstimate | undefined;
  /** Sentences for a district or a state; undefined for one tehsil. */
  readonly area?: AreaSentences | undefined;
}

/** Data of the form that starts a computation. Members of other steps are absent. */
export interface ComputePageFacts {
  readonly reader: Reader;
  readonly version: string;
  readonly action: string;
  /** Parameters that a search of places keeps. */
  readonly kept: Readonly<Record<string, string>>;
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly sentences: readonly string[];
  readonly choices?: PlaceChoices;
  readonly place?: Readonly<Record<'state' | 'district' | 'tehsil' | 'change', string>> & {
    readonly km2: number | undefined;
  };
  readonly layers?: readonly ListedLayer[];
  readonly layer?: Omit<ListedLayer, 'href'> & { readonly change: string };
  readonly wanted?: string | undefined;
  readonly fields?: readonly Field[];
  readonly checked?: CheckedRun | undefined;
  readonly back?: string;
  readonly sent?: Readonly<Record<string, string>>;
}

/** The form that starts a computation, step by step. `token`: secret of the form. */
export function computePage(shown: ComputePageFacts, token: string): Html {
  const { reader, sentences, choices, layers, fields, checked, version } = shown;
  const { prefix, say, language, query, account } = reader;
  const title = say('compute');
  const kept = Object.fromEntries(Object.entries(shown.kept).filter(([, value]) => value !== ''));
  const form = { action: shown.action, kept };
  const isOpen = choices !== undefined || shown.place !== undefined;
  const body = html`${crumbs([{ title: say('dashboard'), href: prefix + paths.dashboard }], title, say('breadcrumb'))}
    <h1>${title}</h1>
    ${isOpen ? html`<p class="lead">${say('computeLead')}</p>` : ''}
    ${notices(
      sentences,
      (fields ?? []).filter(() => checked === undefined),
    )}
    ${choices === undefined ? '' : placeStep(reader, choices, form)} ${chosenOf(shown)}
    ${layers === undefined ? '' : layerStep(reader, layers)}
    ${fields === undefined || checked !== undefined ? '' : parameterStep(shown, fields)}
    ${checked === undefined ? '' : lastStep(shown, { checked, token })} ${foot(version, [])}`;
  const { tehsil, district, state } = shown.place ?? {};
  const step = checked === undefined ? [] : [say('beforeStarting')];
  const above = [district, state].filter((name) => name !== undefined);
  const place = choices === undefined ? tehsil && [tehsil, ...above].join(', ') : placeStepTitle(reader, choices);
  const parts = [title, ...step, shown.layer?.title ?? shown.wanted, place];
  const documentTitle = parts.filter((part) => part !== undefined && part !== '').join(': ');
  return page({ title: documentTitle, description: say('computeLead'), prefix, body, language, query, account });
}

function chosenOf({ reader: { say }, place, layer }: ComputePageFacts): Html | '' {
  if (place === undefined) return '';
  const { state, district, tehsil, km2, change } = place;
  const area = km2 === undefined ? '' : ` (${km2.toFixed(1)} ${say('km')}²)`;
  return html`${facts([
    [say('thePlace'), html`${tehsil}, ${district}, ${state}${area}<br /><a href="${change}">${say('otherPlace')}</a>`],
    [
      say('theLayer'),
      layer &&
        html`<span lang="${layer.lang}">${layer.title}</span><br /><a href="${layer.change}">${say('otherLayer')}</a>`,
    ],
  ])}
  ${layer === undefined ? '' : html`<p lang="${layer.lang}">${layer.summary}</p>`}`;
}

function layerStep({ say, language }: Reader, layers: readonly ListedLayer[]): Html {
  const groups = [...Map.groupBy(layers, ({ theme }) => theme ?? say('otherTheme'))];
  return html`<h2>${say('theLayer')}</h2>
    ${groups.map(
      ([theme, own], at) =>
        html`<h3 class="title" id="theme-${at + 1}" lang="${own[0]?.lang ?? language}">${theme}</h3>
          <ul class="found" aria-labelledby="theme-${at + 1}">
            ${own.map(
              ({ title, summary, href, lang }) =>
                html`<li lang="${lang}">
                  <a href="${href}">${title}</a>
                  <p>${summary}</p>
                </li> `,
            )}
          </ul> `,
    )}`;
}

const chosenFields = ({ sent = {}, fields = [] }: ComputePageFacts): readonly Html[] => {
  const own = new Set(fields.map(({ name }) => name));
  return Object.entries(sent).flatMap(([name, value]) => (own.has(name) ? [] : [hidden(name, value)]));
};

function parameterStep(shown: ComputePageFacts, fields: readonly Field[]): Html {
  const { say } = shown.reader;
  return html`<h2>${say('theParameters')}</h2>
    <form class="form" method="get" action="${shown.action}">
      ${chosenFields(shown)} ${hidden('check', CHECK)} ${fields.map(field)}
      <p><button class="button" type="submit">${say('checkIt')}</button></p>
    </form>`;
}

function lastStep(
  shown: ComputePageFacts,
  { checked, token }: { readonly checked: CheckedRun; readonly token: string },
): Html {
  const { reader, fields = [], sent = {}, back = '' } = shown;
  const { say } = reader;
  const { makers, canStart, why, estimate, area } = checked;
  const hasFigures = estimate !== undefined && 'figures' in estimate;
  const typed = fields.flatMap(({ name, label, choices = [] }) => {
    const value = sent[name] ?? '';
    return value === '' ? [] : [[label, choices.find((choice) => choice.value === value)?.label ?? value] as const];
  });
  return html`<h2>${say('beforeStarting')}</h2>
    ${facts([
      ...typed,
      [say('needs'), shown.layer?.sources.join('; ')],
      ...(hasFigures ? [] : expectedFacts(reader, checked)),
    ])}
    ${area === undefined ? '' : html`<p>${hasFigures ? '' : area.figuresOfOne} ${area.eachTehsil}</p>`}
    ${estimate === undefined ? '' : estimateSection(reader, estimate)} ${hasFigures ? '' : estimateForm(shown, token)}
    ${
      why === undefined
        ? ''
        : html`<div class="notice">
            <p>${say('missingNow')}</p>
            <p lang="en">${why}</p>
          </div>`
    }
    ${
      makers.length === 0
        ? ''
        : html`<p>${say('missingFirst')}</p>
            <ol class="plain">
              ${makers.map(({ title, lang }) => html`<li lang="${lang}">${title}</li> `)}
            </ol>`
    }
    ${canStart ? startForm(shown, { makers, token, isOfArea: area !== undefined }) : ''}
    <p><a href="${back}">${say('change')}</a></p>`;
}

/**
 * Form for an estimate. It is a POST with a token, because links of other sites must not start an expensive estimate.
 */
function estimateForm({ reader, action, sent = {} }: ComputePageFacts, token: string): Html {
  const { say } = reader;
  return html`<form class="form" method="post" action="${inChosen(reader, action)}">
    ${hidden('token', token)} ${Object.entries(sent).map(([name, value]) => hidden(name, value))}
    ${hidden('check', ESTIMATE)}
    <p>
      <button class="button plainer" type="submit">${say('estimateFirst')}</button>
      <span class="soft">${say('estimateLead')}</span>
    </p>
  </form>`;
}

function startForm(
  { reader, action, sent = {} }: ComputePageFacts,
  { makers, token, isOfArea }: Pick<CheckedRun, 'makers'> & { readonly token: string; readonly isOfArea: boolean },
): Html {
  const { say } = reader;
  // For an area, all dependencies are computed, because not every tehsil was checked.
  return html`<form class="form" method="post" action="${inChosen(reader, action)}">
    ${hidden('token', token)} ${Object.entries(sent).map(([name, value]) => hidden(name, value))}
    ${makers.length === 0 && !isOfArea ? '' : hidden('with_dependencies', 'true')}
    <p><button class="button" type="submit">${say(makers.length === 0 ? 'startNow' : 'startWithNeeds')}</button></p>
  </form>`;
}

function expectedFacts(
  { language, say }: Reader,
  { expected }: Pick<CheckedRun, 'expected'>,
): readonly (readonly [string, string | undefined])[] {
  if (expected === undefined) return [[say('expectedTime'), say('unknownTime')]];
  const { seconds, scenes, bytes, took, km2, years } = expected;
  const about = (text: string): string => say('roughly', { text });
  const then = { seconds: took.toFixed(took < 10 ? 1 : 0), km2: km2.toFixed(1), years: String(years) };
  return [
    [say('expectedTime'), about(durationText(seconds, say))],
    [say('scenesToRead'), scenes === undefined ? undefined : about(String(scenes))],
    [say('filesToWrite'), bytes === undefined ? undefined : about(sizeText(bytes, language))],
    [say('estimatedBy'), say('estimatedText', then)],
  ];
}
