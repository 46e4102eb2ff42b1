import { EXTENSIONS } from '../extensions.ts';
import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { checkDocument } from './document.ts';
import type { Finding } from '../errors.ts';
import { ANY_LINKS, checkLinks } from './links.ts';
import { checkMetadata } from './metadata.ts';
import type { Profile } from './profile.ts';
import { at, Report } from './report.ts';

/** Extensions whose schemas accept only Items and Collections. */
const NOT_OF_CATALOGS: ReadonlySet<unknown> = new Set(
  (['table', 'projection', 'classification', 'processing', 'alternate'] as const).map((name) => EXTENSIONS[name]),
);

/** Returns all findings of a Catalog by the rules of a profile. Does not throw. */
export function validateCatalog(value: unknown, profile: Profile): Finding[] {
  if (!isObject(value)) return [notADocument(value, 'Catalog')];
  const report = new Report(value, profile);
  checkNode(report, value, 'Catalog');
  checkCatalogExtensions(report, value['stac_extensions']);
  return report.findings;
}

function checkCatalogExtensions(report: Report, extensions: unknown): void {
  if (!isList(extensions)) return;
  for (const [index, url] of extensions.entries()) {
    if (!NOT_OF_CATALOGS.has(url)) continue;
    report.add(at('/stac_extensions', index), {
      rule: 'extensions.not-of-catalogs',
      got: url,
      expected: 'an extension whose schema handles Catalogs',
      fix: 'remove the extension: it is for Items and Collections only',
      source: String(url),
    });
  }
}

/** Checks the common parts of Catalogs and Collections: texts, metadata and links. */
export function checkNode(report: Report, node: JsonObject, type: 'Catalog' | 'Collection'): void {
  checkDocument(report, node, type);
  checkMetadata(report, '', node);
  if (!isText(node['description'])) {
    report.add('/description', {
      rule: 'description',
      got: node['description'],
      expected: 'a text that is not empty',
      fix: 'add a description',
      source: 'stac',
    });
  }
  if (node['title'] === undefined) {
    report.add(at('', 'title'), {
      rule: 'title',
      severity: 'warning',
      got: undefined,
      expected: 'a text',
      fix: 'add a title: clients show it',
      source: 'stac',
    });
  }
  checkLinks(report, node['links'], report.isHeadwater ? { once: ['root'], unlabelled: 'warning' } : ANY_LINKS);
}

/** Finding for a value that is not an object. */
export function notADocument(value: unknown, type: string): Finding {
  const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  return {
    pointer: '',
    rule: 'document.object',
    severity: 'error',
    got,
    expected: `a ${type}`,
    fix: 'pass the parsed JSON object',
    source: 'stac',
  };
}
