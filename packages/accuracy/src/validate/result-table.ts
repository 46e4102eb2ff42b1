import type { PublishedTable, TableColumn, TableRow } from '@headwater/core';
import type { AssessedClass, Assessment, Figure } from '../assess/assessment.ts';

/** Result of a validation: the assessment and details of labels and layer. */
export interface ValidationResult {
  readonly assessment: Assessment;
  /** Number of polygons without a pixel centre. */
  readonly tooSmall: number;
  /** Number of labels that were ignored because an equal label has the same geometry. */
  readonly repeated: number;
  readonly labelsSha256: string;
  /** The validated version of the layer, and the run that published it. */
  readonly judged: { readonly version: number; readonly runId: string };
}

const FIGURES = {
  overall_accuracy: 'Share of samples that agree',
  kappa: "Cohen's kappa",
  area_accuracy: 'Share of the area that agrees (Olofsson et al. 2014, eq. 1)',
  precision: "User's accuracy, from counts",
  recall: "Producer's accuracy, from counts",
  f1: 'F1, from counts',
  area_precision: "User's accuracy by area (Olofsson et al. 2014)",
  area_recall: "Producer's accuracy by area (Olofsson et al. 2014)",
  reference_ha: 'Area of the class according to the labels (Olofsson et al. 2014)',
} as const;

/** Name of a figure of a row, and of its column; further columns contain standard error and interval. */
export type FigureName = keyof typeof FIGURES;
type Cells = Partial<Record<FigureName, Figure | null>>;

const COUNTS = {
  layer_version: 'Version of the layer that was validated',
  samples: 'Number of samples of this row',
  mapped: 'Samples that are mapped as the class',
  reference: 'Samples whose label is the class',
  agreed: 'Samples that are mapped as the class and whose label is the class',
} as const;

const TEXTS = {
  row: 'overall, class:{name}, or left_out:{why}',
  title: 'Title of the class, or description of the samples of this row',
  color: 'Colour of the class as #rrggbb, null if the legend has none',
  claim: 'Meaning of the figures: accuracy, or consistency if the layer was computed from generated data',
  design: 'How the labels were compared: points, polygons, polygon-pixels',
  labels_sha256: 'SHA-256 of the labels and the legend',
  layer_run_id: 'Run that published the validated version of the layer',
} as const;

/** Returns the table of a validation: rows for all samples, for each class, and for samples without figures. */
export function resultTable(result: ValidationResult): Pick<PublishedTable, 'key' | 'columns' | 'rows'> {
  const { classes } = result.assessment;
  const columns: TableColumn[] = [
    ...Object.entries(TEXTS).map(([name, description]) => ({ name, type: 'text' as const, description })),
    ...Object.entries(COUNTS).map(([name, description]) => ({ name, type: 'integer' as const, description })),
    { name: 'mapped_ha', type: 'number', unit: 'ha', description: 'Area of the class on the layer' },
    ...Object.entries(FIGURES).flatMap(([name, description]) => figureColumns(name, description)),
    ...classes.map(({ name, title }) => ({
      name: matrixColumn(name),
      type: 'integer' as const,
      description: `Samples that are mapped as the class of the row and whose label is the class ${title}`,
    })),
  ];
  const nothing = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const rows = [overallRow(result), ...classes.map((each, i) => classRow(result, each, i)), ...leftOutRows(result)];
  return { key: 'row', columns, rows: rows.map((row) => ({ ...nothing, ...row })) };
}

/** Keys of rows: all samples, a class by its name, left-out samples by reason. */
export const OVERALL_ROW = 'overall';
export const CLASS_ROW = 'class:';
export const LEFT_OUT_ROW = 'left_out:';

/** Returns the name of the column of the confusion matrix for labels of a class. */
export const matrixColumn = (name: string): string => `label_${name}`;

function figureColumns(name: string, description: string): TableColumn[] {
  const unit = name.endsWith('_ha') ? { unit: 'ha' } : {};
  const of = (suffix: string, what: string): TableColumn => {
    return { name: name + suffix, type: 'number', ...unit, description: description + what };
  };
  return [
    of('', ''),
    of('_standard_error', ': standard error'),
    of('_low', ': lower end of the 95 % interval'),
    of('_high', ': upper end of the 95 % interval'),
  ];
}

function cells(figures: Cells): TableRow {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, figure]) => [
      [name, figure?.value ?? null],
      [`${name}_standard_error`, figure?.standardError ?? null],
      [`${name}_low`, figure?.low ?? null],
      [`${name}_high`, figure?.high ?? null],
    ]),
  );
}

function overallRow({ assessment, labelsSha256, judged }: ValidationResult): TableRow {
  const { claim, design, samples, overall, kappa, areaOverall } = assessment;
  const figures = cells({ overall_accuracy: overall, kappa, area_accuracy: areaOverall });
  const about = { labels_sha256: labelsSha256, layer_run_id: judged.runId, layer_version: judged.version };
  return { row: OVERALL_ROW, title: 'All samples', claim, design, samples, ...about, ...figures };
}

function classRow({ assessment }: ValidationResult, each: AssessedClass, index: number): TableRow {
  const { name, title, color = null, mapped, reference, agreed, precision, recall, f1, mappedHa: mapped_ha } = each;
  const figures = cells({
    precision,
    recall,
    f1,
    area_precision: each.areaPrecision,
    area_recall: each.areaRecall,
    reference_ha: each.referenceHa,
  });
  const line = assessment.classes.map((other, i) => [matrixColumn(other.name), assessment.matrix[index]?.[i] ?? 0]);
  const about = { row: `${CLASS_ROW}${name}`, title, color };
  return { ...about, mapped, reference, agreed, mapped_ha, ...figures, ...Object.fromEntries(line) };
}

/** Returns the number of samples without figures, by reason. */
export function leftOutCounts({ assessment, tooSmall, repeated }: ValidationResult): Readonly<Record<string, number>> {
  const { unknownReference, unknownMap, mapNodata, referenceNodata } = assessment.leftOut;
  const sum = (all: readonly { readonly count: number }[]): number =>
    all.reduce((total, { count }) => total + count, 0);
  return {
    unmapped_labels: sum(unknownReference),
    unmapped_values: sum(unknownMap),
    layer_nodata: mapNodata,
    label_nodata: referenceNodata,
    too_small: tooSmall,
    repeated,
  };
}

const WHY: Readonly<Record<string, string>> = {
  unmapped_labels: 'The label is in no class of the legend',
  unmapped_values: 'The value of the layer is in no class of the legend',
  layer_nodata: 'The layer does not cover the place, or has no data there',
  label_nodata: 'The label means "unknown"',
  too_small: 'The polygon contains no pixel centre of the layer',
  repeated: 'The label repeats an earlier label at the same place',
};

function leftOutRows(result: ValidationResult): TableRow[] {
  return Object.entries(leftOutCounts(result)).map(([why, samples]) => {
    return { row: `${LEFT_OUT_ROW}${why}`, title: WHY[why] ?? why, samples };
  });
}
