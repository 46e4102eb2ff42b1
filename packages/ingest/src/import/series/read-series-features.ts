import { isIsoDay, isObject } from '@headwater/core/values';
import { badFile } from '../shared/import-deps.ts';
import { readFeatures } from '../shared/collection-features.ts';
import { type SeriesForm, seriesFormOf, seriesInName } from './series-forms.ts';
import { seriesNumber, type SeriesTask, uidProblem } from './series-task.ts';

/** Maximum sizes, bytes. A layer of a tehsil with ten years has some 50 MB. */
const LIMITS = { file: 1024 ** 3, feature: 16 * 1024 ** 2 };

interface Reading {
  readonly form: SeriesForm;
  readonly day: string;
  readonly value: number | null;
}

/**
 * Reads a fortnightly layer with one property per date: a number, or JSON with named numbers. Unreadable features are
 * reported. Throws `validation` without features.
 */
export async function readSeriesFeatures(task: SeriesTask): Promise<void> {
  const { request, findings, collected } = task;
  const ofFile = seriesInName(request.fileName);
  const seen = new Set<string>();
  let last = 0;
  for await (const { number: row, feature } of readFeatures(request, LIMITS)) {
    last = row;
    const refuse = (problem: string, field?: string): void =>
      findings.refuse({ source: request.fileName, row, ...(field === undefined ? {} : { field }), problem });
    const properties = isObject(feature) && isObject(feature['properties']) ? feature['properties'] : {};
    const uid = uidOf(properties);
    const problem = uidProblem(uid, task);
    if (problem !== undefined || typeof uid !== 'string')
      refuse(problem ?? 'It has no uid; add the uid of its micro-watershed.', 'uid');
    else if (seen.has(uid)) refuse(`Another feature has ${JSON.stringify(uid)} already; remove one of the two.`, 'uid');
    else {
      const read = readingsOf(properties, ofFile);
      if ('problem' in read) refuse(read.problem, read.field);
      else {
        seen.add(uid);
        for (const { form, day, value } of read.readings) collected.add(form, { uid, day, value });
      }
    }
  }
  if (last === 0) throw badFile(request, 'it has no feature; write it again with at least one.');
}

/** Uid of a feature. Some programs store an id of digits as a number. */
function uidOf(properties: Readonly<Record<string, unknown>>): unknown {
  const named = new Map(Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value]));
  const value = named.get('uid') ?? named.get('mws_id');
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' ? value.trim() : value;
}

type Readings = { readonly readings: readonly Reading[] } | { readonly field: string; readonly problem: string };

function readingsOf(properties: Readonly<Record<string, unknown>>, ofFile: SeriesForm | undefined): Readings {
  const readings: Reading[] = [];
  for (const [day, value] of Object.entries(properties)) {
    if (!isIsoDay(day)) continue;
    const named = namedNumbers(value);
    if (named === undefined) {
      const number = seriesNumber(value);
      if (number === undefined)
        return { field: day, problem: `The value of ${day} must be a number, or JSON text with numbers.` };
      if (ofFile === undefined)
        return {
          field: day,
          problem:
            'The file name does not say which series this is; name the file ndvi_timeseries_{district}_{tehsil}_crop, _shrub or _tree.',
        };
      readings.push({ form: ofFile, day, value: number });
      continue;
    }
    for (const [name, each] of Object.entries(named)) {
      const form = seriesFormOf(name);
      if (form === undefined) continue;
      const number = seriesNumber(each);
      if (number === undefined)
        return {
          field: day,
          problem: `${name} of ${day} is not a number; correct it, or write null if it is unknown.`,
        };
      readings.push({ form, day, value: number });
    }
  }
  return readings.length > 0
    ? { readings }
    : {
        field: 'date',
        problem: 'It has no values: each value needs a property whose name is its day, such as 2017-07-01.',
      };
}

function namedNumbers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isObject(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined;
  try {
    // Python writes NaN, which JSON does not allow.
    const read: unknown = JSON.parse(value.replace(/-?\b(NaN|Infinity)\b/g, 'null'));
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
