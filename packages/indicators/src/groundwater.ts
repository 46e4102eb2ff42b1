import type { TableRow } from '@headwater/core';

const STAGES = [/^safe$/, /^semicritical$/, /^critical$/, /^overexploited$/, /^notassessed$/];
const AQUIFERS = [/^(hardrocks?|0)$/, /^(alluvi(al|um)|1)$/];

/**
 * Stage of groundwater extraction in `class_name`: 0 safe, 1 semi-critical, 2 critical, 3 over-exploited, 4 not
 * assessed. Undefined for other texts, for which the source returns 4. Source: core-stack-backend,
 * `stats_generator/mws_indicators.py`.
 */
export const extractionStage = (row: TableRow): number | undefined => indexOfClass(row['class_name'], STAGES);

/**
 * Class of the aquifer by name or number in `aquifer_class`: 0 hard rock, 1 alluvium; undefined for other texts.
 * Source: core-stack-backend, `stats_generator/mws_indicators.py`.
 */
export const aquiferClass = (row: TableRow): number | undefined => indexOfClass(row['aquifer_class'], AQUIFERS);

/** Index of the class of a text. Only letters and digits are compared, ignoring case. */
function indexOfClass(cell: TableRow[string] | undefined, classes: readonly RegExp[]): number | undefined {
  const text = String(cell ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  const index = classes.findIndex((each) => each.test(text));
  return index < 0 ? undefined : index;
}
