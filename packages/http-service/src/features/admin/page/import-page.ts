import type { ImportReport, Importer } from '@headwater/core';
import { html } from 'hono/html';
import { hidden } from '../../../pages/form-parts.ts';
import type { Html } from '../../../pages/layout.ts';
import { facts, inChosen } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import { inLanguages, joinedTexts, localText } from '../../../pages/texts.ts';
import type { AdminField, AdminResource, AdminTexts, LocalText } from '../../../seam/admin-resource.ts';
import { paths } from '../../../wire/paths.ts';
import { adminHref, adminPage, fieldForm, textFor } from './admin-parts.ts';
import { type FormOutcome, outcomeOf } from './row-page.ts';

const TEXTS = {
  title: localText('importAFile'),
  lead: localText('boundariesAndDataOfPlaces'),
  noUploads: localText('thisServiceAcceptsNoUploads'),
  send: localText('sendTheFile'),
  another: localText('anotherFile'),
  importNow: localText('importNow'),
  kept: localText('theFileIsKeptFor'),
  checkedTitle: localText('reportOfTheCheck'),
  importedTitle: localText('reportOfTheImport'),
  checked: localText('nothingIsStoredYetAn'),
  imported: localText('theFileIsImported'),
  refusedAll: localText('nothingCanBeImportedEvery'),
  inactive: localText('newPlacesAreInactiveUntil'),
  places: localText('places'),
  kind: localText('kindOfFile'),
  file: localText('file'),
  stored: localText('newOrChanged'),
  unchanged: localText('unchanged'),
  removed: localText('removed'),
  refused: localText('refused'),
  repaired: localText('repaired'),
  row: localText('rowOrFeature'),
  problem: localText('problem'),
  repair: localText('repair'),
  source: localText('in'),
  more: localText('onlyTheFirstRowsAre'),
} as const satisfies Readonly<Record<string, LocalText>>;

const KINDS: Readonly<Record<string, LocalText>> = {
  places: localText('tehsilsBoundaries'),
  mws: localText('microWatershedsBoundaries'),
  villages: localText('villagesBoundaries'),
  workbook: localText('workbookOfATehsil'),
  series: localText('seriesOfMicroWatersheds'),
  layer: localText('theLayer'),
};

const kindTitle = (kind: string): LocalText => KINDS[kind] ?? { en: kind };

const PLACES = { state: localText('aState'), district: localText('district'), tehsil: localText('tehsil') };
const IF_MISSING: LocalText = localText('onlyIfTheFileDoes');
const place = (name: 'state' | 'district' | 'tehsil'): AdminField => ({
  name,
  label: PLACES[name],
  hint: IF_MISSING,
  most: 100,
});

/** Fields of the form. The file is last, because its bytes are read only after token and kind. */
export function importFields(importers: readonly Importer[]): readonly AdminField[] {
  const byEndings = Map.groupBy(importers, (importer) => importer.endings.join(', '));
  const endings = inLanguages((language) =>
    [...byEndings]
      .map(([own, kinds]) => `${joinedTexts(kinds.map(({ kind }) => kindTitle(kind)))[language]}: ${own}`)
      .join('; '),
  );
  return [
    {
      name: 'kind',
      label: TEXTS.kind,
      kind: 'select',
      isRequired: true,
      initial: importers[0]?.kind ?? '',
      choices: importers.map(({ kind }) => ({ value: kind, label: kindTitle(kind) })),
    },
    place('state'),
    place('district'),
    place('tehsil'),
    {
      name: 'options',
      label: localText('optionsJson'),
      kind: 'textarea',
      hint: localText('onlyForALayerName'),
      most: 100_000,
    },
    {
      name: 'dry_run',
      label: localText('checkOnlyStoreNothing'),
      kind: 'checkbox',
      initial: 'on',
    },
    {
      name: 'file',
      label: TEXTS.file,
      kind: 'file',
      isRequired: true,
      hint: localText('endings', { endings }),
    },
  ];
}

/** Data of the page of imports. */
export interface ImportFacts {
  readonly token: string;
  readonly importers: readonly Importer[] | undefined;
  readonly below: AdminResource | undefined;
  readonly texts: AdminTexts;
  readonly outcome: FormOutcome;
  readonly done?: DoneImport | undefined;
  /** Id of a checked file that can still be imported. */
  readonly kept?: string | undefined;
}

/** A file that was checked or imported. */
export interface DoneImport {
  readonly report: ImportReport;
  readonly isTrial: boolean;
  readonly id?: string | undefined;
}

/** The page that imports a file, with the report of the last file. */
export function importPage(reader: Reader, shown: ImportFacts): Html {
  const { token, importers, below, texts, outcome, done, kept } = shown;
  const heading = textFor(reader, TEXTS.title);
  const shared = { heading, ...(below && { below }) };
  if (importers === undefined)
    return adminPage(reader, { ...shared, body: html`<p class="empty">${textFor(reader, TEXTS.noUploads)}</p>` });
  const form = { token, fields: importFields(importers), texts, problems: outcome.fieldProblems };
  const body = html`<p class="lead">${textFor(reader, TEXTS.lead)}</p>
    ${outcomeOf(reader, outcome, form)} ${kept === undefined ? '' : importNow(reader, kept, token)}
    ${
      done === undefined
        ? ''
        : html`${reportPart(reader, done, token)}
            <h2>${textFor(reader, TEXTS.another)}</h2>`
    }
    ${fieldForm(reader, form, {
      action: inChosen(reader, reader.prefix + paths.adminImport),
      button: textFor(reader, TEXTS.send),
    })}`;
  return adminPage(reader, { ...shared, body });
}

function reportPart(reader: Reader, { report, isTrial, id }: DoneImport, token: string): Html {
  const say = (text: LocalText): string => textFor(reader, text);
  const { kind, fileName, stored, unchanged, removed = 0, refusedCount, refused, repaired } = report;
  const isRefused = refusedCount > 0 && stored + unchanged === 0;
  const lead = isRefused ? TEXTS.refusedAll : isTrial ? TEXTS.checked : TEXTS.imported;
  const repairedCount = report.repairedCount ?? repaired.length;
  return html`<h2 id="report">${say(isTrial ? TEXTS.checkedTitle : TEXTS.importedTitle)}</h2>
    <p class="empty" role="status">
      ${say(lead)} ${isTrial || isRefused || kind !== 'places' ? '' : say(TEXTS.inactive)}
    </p>
    ${facts([
      [say(TEXTS.file), fileName],
      [say(TEXTS.kind), say(kindTitle(kind))],
      [say(TEXTS.stored), String(stored)],
      [say(TEXTS.unchanged), String(unchanged)],
      [say(TEXTS.removed), String(removed)],
      [say(TEXTS.refused), String(refusedCount)],
      [say(TEXTS.repaired), String(repairedCount)],
    ])}
    ${rowsTable(reader, [TEXTS.refused, TEXTS.problem], {
      rows: refused.map(({ field, problem, ...at }) => ({
        ...at,
        text: field === undefined ? problem : `${field}: ${problem}`,
      })),
      count: refusedCount,
    })}
    ${rowsTable(reader, [TEXTS.repaired, TEXTS.repair], {
      rows: repaired.map(({ repair, ...at }) => ({ ...at, text: repair })),
      count: repairedCount,
    })}
    ${id === undefined ? '' : importNow(reader, id, token)}
    ${
      isTrial || isRefused
        ? ''
        : html`<p>
            <a href="${adminHref(reader, 'places')}">${say(TEXTS.places)}</a>
          </p>`
    }`;
}

function importNow(reader: Reader, id: string, token: string): Html {
  return html`<form class="form" method="post" action="${inChosen(reader, reader.prefix + paths.adminImportNow)}">
    ${hidden('token', token)} ${hidden('checked', id)}
    <p class="soft">${textFor(reader, TEXTS.kept)}</p>
    <p><button class="button" type="submit">${textFor(reader, TEXTS.importNow)}</button></p>
  </form>`;
}

const MOST_ROWS = 100;

interface ReportRows {
  readonly rows: readonly { readonly source: string; readonly row: number; readonly text: string }[];
  readonly count: number;
}

function rowsTable(
  reader: Reader,
  [caption, column]: readonly [LocalText, LocalText],
  { rows, count }: ReportRows,
): Html {
  if (rows.length === 0) return html``;
  const shown = rows.slice(0, MOST_ROWS);
  const title = textFor(reader, caption);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
      <table>
        <caption>
          ${title}
        </caption>
        <thead>
          <tr>
            <th scope="col">${textFor(reader, TEXTS.source)}</th>
            <th scope="col">${textFor(reader, TEXTS.row)}</th>
            <th scope="col">${textFor(reader, column)}</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            ({ source, row, text }) =>
              html`<tr>
                <td>${source}</td>
                <td>${row}</td>
                <td>${text}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
    ${count > shown.length ? html`<p class="soft">${textFor(reader, TEXTS.more)}</p>` : ''}`;
}
