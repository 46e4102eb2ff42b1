import type { StoredTable, TableRow } from '@headwater/core';
import {
  type AssessedClass,
  CLAIMS,
  DESIGNS,
  type Figure,
  type Figures,
  type ThinClass,
} from '../assess/assessment.ts';
import { CLASS_ROW, type FigureName, LEFT_OUT_ROW, matrixColumn, OVERALL_ROW } from './result-table.ts';

/** A validation read from its table. */
export interface StoredValidation {
  readonly figures: Figures;
  /** Numbers of samples that are left out of the figures, by reason. */
  readonly leftOut: readonly { readonly why: string; readonly title: string; readonly samples: number }[];
  readonly labelsSha256: string;
  /** The validated version of the layer, and the run that published it; undefined if not in the table. */
  readonly layerVersion: number | undefined;
  readonly layerRunId: string | undefined;
}

/** Reads a table of `resultTable`, also of earlier releases; undefined for any other table. */
export function storedValidation({ key, rows }: Pick<StoredTable, 'key' | 'rows'>): StoredValidation | undefined {
  const overall = rows.find((row) => row[key] === OVERALL_ROW);
  const claim = CLAIMS.find((each) => each === overall?.['claim']);
  const design = DESIGNS.find((each) => each === overall?.['design']);
  const labelsSha256 = textIn(overall, 'labels_sha256');
  if (overall === undefined || claim === undefined || design === undefined || labelsSha256 === undefined)
    return undefined;
  const lines = named(rows, { key, prefix: CLASS_ROW });
  const classes = lines.map(classOf);
  const figures: Figures = {
    claim,
    design,
    samples: numberIn(overall, 'samples') ?? 0,
    overall: figureIn(overall, 'overall_accuracy'),
    kappa: figureIn(overall, 'kappa'),
    areaOverall: figureIn(overall, 'area_accuracy'),
    classes,
    matrix: lines.map(({ row }) => lines.map(({ name }) => numberIn(row, matrixColumn(name)) ?? 0)),
    ...thinClasses(classes),
  };
  const leftOut = named(rows, { key, prefix: LEFT_OUT_ROW }).map(({ name, row }) => {
    return { why: name, title: textIn(row, 'title') ?? name, samples: numberIn(row, 'samples') ?? 0 };
  });
  const judged = { layerVersion: numberIn(overall, 'layer_version'), layerRunId: textIn(overall, 'layer_run_id') };
  return { figures, leftOut, labelsSha256, ...judged };
}

interface NamedRow {
  readonly name: string;
  readonly row: TableRow;
}

/** Rows whose key begins with a prefix; the returned keys are without the prefix. */
function named(
  rows: readonly TableRow[],
  { key, prefix }: { readonly key: string; readonly prefix: string },
): NamedRow[] {
  return rows.flatMap((row) => {
    const name = textIn(row, key);
    return name?.startsWith(prefix) === true ? [{ name: name.slice(prefix.length), row }] : [];
  });
}

function classOf({ name, row }: NamedRow): AssessedClass {
  const color = textIn(row, 'color');
  return {
    name,
    title: textIn(row, 'title') ?? name,
    color: color !== undefined && /^#[0-9a-f]{6}$/i.test(color) ? color : undefined,
    mapped: numberIn(row, 'mapped') ?? 0,
    reference: numberIn(row, 'reference') ?? 0,
    agreed: numberIn(row, 'agreed') ?? 0,
    precision: figureIn(row, 'precision'),
    recall: figureIn(row, 'recall'),
    f1: figureIn(row, 'f1'),
    areaPrecision: figureIn(row, 'area_precision'),
    areaRecall: figureIn(row, 'area_recall'),
    mappedHa: numberIn(row, 'mapped_ha') ?? 0,
    referenceHa: figureIn(row, 'reference_ha'),
  };
}

/** Classes without a sample, and with a single sample; empty if nothing was compared. */
function thinClasses(classes: readonly AssessedClass[]): Pick<Figures, 'unsampled' | 'single'> {
  const isCompared = classes.some(({ mapped }) => mapped > 0);
  const having = (samples: number): ThinClass[] =>
    classes
      .filter(({ mapped, mappedHa }) => isCompared && mappedHa > 0 && mapped === samples)
      .map(({ title, mappedHa }) => ({ title, hectares: mappedHa }));
  return { unsampled: having(0), single: having(1) };
}

function figureIn(row: TableRow, name: FigureName): Figure | null {
  const value = numberIn(row, name);
  if (value === undefined) return null;
  const of = (suffix: string): number | null => numberIn(row, name + suffix) ?? null;
  return { value, standardError: of('_standard_error'), low: of('_low'), high: of('_high') };
}

function numberIn(row: TableRow, name: string): number | undefined {
  const cell = row[name];
  return typeof cell === 'number' ? cell : undefined;
}

function textIn(row: TableRow | undefined, name: string): string | undefined {
  const cell = row?.[name];
  return typeof cell === 'string' ? cell : undefined;
}
