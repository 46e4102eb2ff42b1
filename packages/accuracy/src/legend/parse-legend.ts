import { DomainError } from '@headwater/core/errors';
import { type Label, labelKey, type Legend, type LegendClass, MOST_CLASSES, type Side } from './legend.ts';

const MOST_LABELS = 1000;
const MOST_CHARACTERS = 100;
const SIDES: readonly Side[] = ['map', 'reference'];

/**
 * Parses a legend: `{ "classes": [{ "name", "title"?, "color"?, "map": [1, 2], "reference": [80, "water"] }],
 * "nodata"?: { "map"?: [0], "reference"?: [] } }`. Throws `validation` with the member and the remedy.
 */
export function parseLegend(value: unknown): Legend {
  const { classes, nodata = {}, ...others } = objectAt('the legend', value, 'with the member classes');
  const [other] = Object.keys(others);
  if (other !== undefined) throw bad(shown(other), 'is not known; a legend has classes and nodata');
  if (!Array.isArray(classes) || classes.length === 0 || classes.length > MOST_CLASSES)
    throw bad('classes', `must be a list of 1 to ${MOST_CLASSES} classes`);
  const legend = { classes: classes.map(classOf), nodata: nodataOf(nodata) };
  checkNames(legend.classes);
  for (const side of SIDES) checkSide(legend, side);
  return legend;
}

function classOf(value: unknown, index: number): LegendClass {
  const where = `classes[${index}]`;
  const { name, title, color, ...sides } = objectAt(where, value, 'with name, map and reference');
  const [other] = Object.keys(sides).filter((key) => key !== 'map' && key !== 'reference');
  if (other !== undefined)
    throw bad(`${where}.${shown(other)}`, 'is not known; a class has name, title, color, map and reference');
  const named = textAt(`${where}.name`, name);
  if (color !== undefined && (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color)))
    throw bad(`${where}.color`, 'must be written as #rrggbb');
  return {
    name: named,
    title: title === undefined ? named : textAt(`${where}.title`, title),
    color: typeof color === 'string' ? color.toLowerCase() : undefined,
    map: labelsAt(`${where}.map`, sides['map']),
    reference: labelsAt(`${where}.reference`, sides['reference']),
  };
}

function nodataOf(value: unknown): Legend['nodata'] {
  const { map = [], reference = [], ...others } = objectAt('nodata', value, 'with the members map and reference');
  const [other] = Object.keys(others);
  if (other !== undefined) throw bad(`nodata.${shown(other)}`, 'is not known; it has map and reference');
  return { map: labelsAt('nodata.map', map), reference: labelsAt('nodata.reference', reference) };
}

function labelsAt(where: string, value: unknown): readonly Label[] {
  if (!Array.isArray(value) || value.length > MOST_LABELS)
    throw bad(where, `must be a list of at most ${MOST_LABELS} numbers or texts, [] for none`);
  return value.map((label: unknown, i) => {
    if (typeof label === 'number' && Number.isFinite(label)) return label;
    if (typeof label === 'string') return textAt(`${where}[${i}]`, label);
    throw bad(`${where}[${i}]`, 'must be a number or a text');
  });
}

function textAt(where: string, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > MOST_CHARACTERS)
    throw bad(where, `must be a text of 1 to ${MOST_CHARACTERS} characters`);
  return text;
}

function objectAt(where: string, value: unknown, kind: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(where, `must be an object ${kind}`);
  return { ...value };
}

function checkNames(classes: readonly LegendClass[]): void {
  const seen = new Map<string, number>();
  for (const [index, { name }] of classes.entries()) {
    const before = seen.get(labelKey(name));
    if (before !== undefined)
      throw bad(
        `classes[${index}].name`,
        `${shown(name)} is also the name of classes[${before}]; give each class its own name`,
      );
    seen.set(labelKey(name), index);
  }
}

function checkSide({ classes, nodata }: Legend, side: Side): void {
  const owners = new Map<string, string>();
  const lists = [
    ...classes.map((each, i) => [`classes[${i}].${side}`, each[side]] as const),
    [`nodata.${side}`, nodata[side]] as const,
  ];
  for (const [where, labels] of lists) {
    for (const label of labels) {
      const before = owners.get(labelKey(label));
      if (before !== undefined)
        throw bad(where, `has ${shown(label)}, which is in ${before} too; a value can be in only one class`);
      owners.set(labelKey(label), where);
    }
  }
  if (owners.size === nodata[side].length)
    throw bad(
      side,
      `is empty in every class, so nothing could be compared; list values of the ${side} in classes[].${side}`,
    );
}

/** Formats a value for a message: short, and on one line. */
export function shown(value: Label): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function bad(where: string, problem: string): DomainError {
  const message = `${problem}.`;
  return new DomainError('validation', `legend: ${where} ${message}`, {
    fields: { legend: [{ rule: 'invalid', message: `${where} ${message}` }] },
  });
}
