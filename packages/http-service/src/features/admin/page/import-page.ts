import type { ImportReport, Importer } from '@headwater/core';
import { html } from 'hono/html';
import { hidden } from '../../../pages/form-parts.ts';
import type { Html } from '../../../pages/layout.ts';
import { facts, inChosen } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import type { AdminField, AdminResource, AdminTexts, LocalText } from '../../../seam/admin-resource.ts';
import { paths } from '../../../wire/paths.ts';
import { adminHref, adminPage, fieldForm, textFor } from './admin-parts.ts';
import { type FormOutcome, outcomeOf } from './row-page.ts';

const TEXTS = {
  title: { en: 'Import a file', hi: 'फ़ाइल आयात करें' },
  lead: {
    en: 'Boundaries and data of places. The file is checked first: nothing is stored, and the report lists what an import would change.',
    hi: 'स्थानों की सीमाएँ और आँकड़े। फ़ाइल पहले जाँची जाती है: कुछ सहेजा नहीं जाता, और रिपोर्ट बताती है कि आयात से क्या बदलेगा।',
  },
  noUploads: {
    en: 'This service accepts no uploads; import the file on the machine of the service with `headwater import`.',
    hi: 'यह सेवा अपलोड नहीं लेती; फ़ाइल को सेवा की मशीन पर `headwater import` से आयात करें।',
  },
  send: { en: 'Send the file', hi: 'फ़ाइल भेजें' },
  another: { en: 'Another file', hi: 'दूसरी फ़ाइल' },
  importNow: { en: 'Import now', hi: 'अभी आयात करें' },
  kept: {
    en: 'The file is kept for an hour, or until it is imported. Only you can import it.',
    hi: 'फ़ाइल एक घंटे तक, या आयात होने तक रखी जाती है। इसे केवल आप आयात कर सकते हैं।',
  },
  checkedTitle: { en: 'Report of the check', hi: 'जाँच की रिपोर्ट' },
  importedTitle: { en: 'Report of the import', hi: 'आयात की रिपोर्ट' },
  checked: {
    en: 'Nothing is stored yet. An import would make these changes.',
    hi: 'अभी कुछ सहेजा नहीं गया है। आयात से ये बदलाव होंगे।',
  },
  imported: { en: 'The file is imported.', hi: 'फ़ाइल आयात हो गई।' },
  refusedAll: {
    en: 'Nothing can be imported: every row or feature is refused.',
    hi: 'कुछ आयात नहीं हो सकता: हर पंक्ति या फ़ीचर अस्वीकृत है।',
  },
  inactive: {
    en: 'New places are inactive until data of them are published. Activate them in the list of places.',
    hi: 'नए स्थान तब तक निष्क्रिय रहते हैं जब तक उनके आँकड़े प्रकाशित न हों। स्थानों की सूची में उन्हें सक्रिय करें।',
  },
  places: { en: 'Places', hi: 'स्थान' },
  kind: { en: 'Kind of file', hi: 'फ़ाइल का प्रकार' },
  file: { en: 'File', hi: 'फ़ाइल' },
  stored: { en: 'New or changed', hi: 'नए या बदले हुए' },
  unchanged: { en: 'Unchanged', hi: 'अपरिवर्तित' },
  removed: { en: 'Removed', hi: 'हटाए गए' },
  refused: { en: 'Refused', hi: 'अस्वीकृत' },
  repaired: { en: 'Repaired', hi: 'सुधारे गए' },
  row: { en: 'Row or feature', hi: 'पंक्ति या फ़ीचर' },
  problem: { en: 'Problem', hi: 'समस्या' },
  repair: { en: 'Repair', hi: 'सुधार' },
  source: { en: 'In', hi: 'कहाँ' },
  more: { en: 'Only the first rows are listed.', hi: 'केवल पहली पंक्तियाँ सूची में हैं।' },
} as const satisfies Readonly<Record<string, LocalText>>;

const KINDS: Readonly<Record<string, LocalText>> = {
  places: { en: 'Tehsils (boundaries)', hi: 'तहसीलें (सीमाएँ)' },
  mws: { en: 'Micro-watersheds (boundaries)', hi: 'सूक्ष्म जलागम (सीमाएँ)' },
  villages: { en: 'Villages (boundaries)', hi: 'गाँव (सीमाएँ)' },
  workbook: { en: 'Workbook of a tehsil', hi: 'तहसील की वर्कबुक' },
  series: { en: 'Series of micro-watersheds', hi: 'सूक्ष्म जलागमों की शृंखलाएँ' },
  layer: { en: 'Layer', hi: 'परत' },
};

const IF_MISSING: LocalText = {
  en: 'Only if the file does not name its tehsil.',
  hi: 'केवल यदि फ़ाइल में तहसील का नाम न हो।',
};
const place = (name: string, en: string, hi: string): AdminField => ({
  name,
  label: { en, hi },
  hint: IF_MISSING,
  most: 100,
});

/** Fields of the form. The file is the last one: the token and the kind must arrive before its bytes. */
export function importFields(importers: readonly Importer[]): readonly AdminField[] {
  const byEndings = Map.groupBy(importers, (importer) => importer.endings.join(', '));
  const endings = [...byEndings]
    .map(([own, kinds]) => `${kinds.map(({ kind }) => kind).join(', ')}: ${own}`)
    .join('; ');
  return [
    {
      name: 'kind',
      label: TEXTS.kind,
      kind: 'select',
      isRequired: true,
      initial: importers[0]?.kind ?? '',
      choices: importers.map(({ kind }) => ({ value: kind, label: KINDS[kind] ?? { en: kind } })),
    },
    place('state', 'State', 'राज्य'),
    place('district', 'District', 'ज़िला'),
    place('tehsil', 'Tehsil', 'तहसील'),
    {
      name: 'options',
      label: { en: 'Options (JSON)', hi: 'विकल्प (JSON)' },
      kind: 'textarea',
      hint: {
        en: 'Only for a layer: name, workspace, dataset, title, description, license, providers, start and end.',
        hi: 'केवल परत के लिए: name, workspace, dataset, title, description, license, providers, start और end।',
      },
      most: 100_000,
    },
    {
      name: 'dry_run',
      label: { en: 'Check only, store nothing', hi: 'केवल जाँचें, कुछ न सहेजें' },
      kind: 'checkbox',
      initial: 'on',
    },
    {
      name: 'file',
      label: TEXTS.file,
      kind: 'file',
      isRequired: true,
      hint: { en: `Endings: ${endings}.`, hi: `प्रत्यय: ${endings}।` },
    },
  ];
}

/** Data of the page of imports. */
export interface ImportFacts {
  readonly token: string;
  /** Undefined: this service accepts no uploads. */
  readonly importers: readonly Importer[] | undefined;
  readonly below: AdminResource | undefined;
  readonly texts: AdminTexts;
  readonly outcome: FormOutcome;
  readonly done?: DoneImport | undefined;
  /** Id of a checked file whose import was refused before it began. */
  readonly kept?: string | undefined;
}

/** A file that was checked or imported. */
export interface DoneImport {
  readonly report: ImportReport;
  readonly isTrial: boolean;
  /** Id of the checked file; undefined if it cannot be imported. */
  readonly id?: string | undefined;
}

/** The page that imports a file: the form, and the report of the last file above it. */
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
      [say(TEXTS.kind), say(KINDS[kind] ?? { en: kind })],
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

/** The form that imports a checked file. */
function importNow(reader: Reader, id: string, token: string): Html {
  return html`<form class="form" method="post" action="${inChosen(reader, reader.prefix + paths.adminImportNow)}">
    ${hidden('token', token)} ${hidden('checked', id)}
    <p class="soft">${textFor(reader, TEXTS.kept)}</p>
    <p><button class="button" type="submit">${textFor(reader, TEXTS.importNow)}</button></p>
  </form>`;
}

/** Most rows of a table of a report. */
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
