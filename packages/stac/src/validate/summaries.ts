import { EXTENSIONS } from '../extensions.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { isString } from './checks.ts';
import { EXTENSION_FIELDS } from './extension-fields.ts';
import { isJsonSchema } from './json-schema.ts';
import { checkFieldsOf, checkListed } from './metadata.ts';
import { at, type Report } from './report.ts';

/** Checks a Collection's `summaries`: what each is, and what extensions that are declared ask of theirs. */
export function checkSummaries(report: Report, summaries: unknown): void {
  if (summaries === undefined) return;
  if (!isObject(summaries)) {
    report.add('/summaries', {
      rule: 'summaries',
      got: summaries,
      expected: 'an object',
      fix: 'write field -> values',
      source: 'stac',
    });
    return;
  }
  for (const [key, summary] of Object.entries(summaries)) {
    if (isSummary(summary)) continue;
    report.add(at('/summaries', key), {
      rule: 'summaries.value',
      got: summary,
      expected: 'a list that is not empty, {minimum, maximum}, or a JSON Schema of draft 7',
      fix: 'write it so, or leave it out',
      source: 'stac',
    });
  }
  // Summaries of classes are the classes themselves: there is no list of lists of them.
  checkFieldsOf(report, '/summaries', { value: summaries, owner: 'classification' });
  if (report.declared.raster === 'exact') checkRaster(report, summaries);
}

function isSummary(summary: unknown): boolean {
  if (isList(summary)) return summary.length > 0;
  if (!isObject(summary)) return false;
  const ends = [summary['minimum'], summary['maximum']];
  const isRange = ends.every((end) => typeof end === 'number' || isString(end));
  return isRange || (Object.keys(summary).length > 0 && isJsonSchema(summary));
}

/** Lists hold values of the field; a range or a schema is an object; bands have fields themselves. */
function checkRaster(report: Report, summaries: JsonObject): void {
  const source = EXTENSIONS.raster;
  for (const [key, { test, expected, fix }] of Object.entries(EXTENSION_FIELDS.raster)) {
    const summary = summaries[key];
    if (summary === undefined || isObject(summary) || (isList(summary) && summary.every(test))) continue;
    const rule = `summaries.${key.replace(':', '.')}`;
    report.add(at('/summaries', key), {
      rule,
      got: summary,
      expected: `a list of ${expected}, or a range`,
      fix,
      source,
    });
  }
  checkListed(report, '/summaries/bands', { list: summaries['bands'], owner: 'raster' });
}
