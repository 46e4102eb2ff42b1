import { amount, readFigures, type Remark } from '@headwater/accuracy';
import { reportBody, reportHeading, shownClasses, type StoredValidation } from '@headwater/accuracy/report';
import { html } from 'hono/html';
import { page, type Html } from '../../../pages/layout.ts';
import { crumbs } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { columnsOf, rowsOf, sizeOf, tableEnd, tableFiles, tableTitle, type TablePageFacts } from './table-parts.ts';

/** Page of a validation table: a report of its figures, then the table's rows. */
export function validationPage(shown: TablePageFacts, validation: StoredValidation): Html {
  const { prefix, name, above, layer, columns, shell } = shown;
  const say = sayIn(shell.language);
  const { figures } = validation;
  const heading = reportHeading(figures.claim, layer?.title ?? name);
  const classes = shownClasses(
    figures.classes,
    figures.classes.map((each) => each.name),
  );
  const remarks = [...readFigures(figures), ...leftOutRemarks(validation)];
  const { size, some } = sizeOf(shown, say);
  const body = html`${crumbs(above, name, say('breadcrumb'))}
    <h1 lang="en">${heading}</h1>
    ${tableFiles(shown)}
    <div lang="en">${reportBody({ figures, classes, remarks, compared: comparedOf(shown, validation) })}</div>
    <h2>${say('theTable')}</h2>
    <details>
      <summary><span class="name">${say('asInFiles', { size })}</span></summary>
      <div class="inside">
        <p>${some}</p>
        ${rowsOf(shown)} ${columnsOf(columns, say)}
      </div>
    </details>
    ${tableEnd(shown)}`;
  const description = `${heading}: confusion matrix, accuracies, and areas with their intervals.`;
  return page({
    title: `${heading}; ${tableTitle(shown, name)}`,
    description,
    prefix,
    body,
    script: true,
    report: true,
    ...shell,
  });
}

function leftOutRemarks({ leftOut }: StoredValidation): readonly Remark[] {
  return leftOut
    .filter(({ samples }) => samples > 0)
    .map(({ title, samples }) => ({
      kind: 'caution',
      text: `Samples left out: ${amount(samples)}. Reason: ${title}.`,
    }));
}

function comparedOf(
  { layer, published, tableVersion }: TablePageFacts,
  { figures, leftOut, labelsSha256, layerVersion, layerRunId }: StoredValidation,
): readonly (readonly [name: string, text: Html | string])[] {
  const out = leftOut.reduce((sum, { samples }) => sum + samples, 0);
  const known: readonly (readonly [string, Html | string | undefined])[] = [
    ['Layer', layer === undefined ? undefined : html`<a href="${layer.href}">${layer.title}</a>`],
    ['Assessed version of the layer', layerVersion === undefined ? undefined : String(layerVersion)],
    ['Run that published this version of the layer', layerRunId],
    ['Labels', `${amount(figures.samples)} compared as ${HOW[figures.design]}, ${amount(out)} left out`],
    ['SHA-256 of labels and legend', labelsSha256],
    ['Published', published],
    ['Version of this table', tableVersion],
  ];
  return known.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
}

const HOW = {
  points: 'points',
  polygons: 'polygons (one sample each)',
  'polygon-pixels': 'polygons (one sample per pixel)',
  raster: 'a raster (pixel by pixel)',
} as const;
