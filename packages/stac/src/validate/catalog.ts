import { isObject, isText, type JsonObject } from '../json.ts';
import { checkDocument } from './document.ts';
import type { Finding } from '../finding.ts';
import { checkLinks } from './links.ts';
import { checkMetadata } from './metadata.ts';
import { at, Report } from './report.ts';

/** All faults of a Catalog at once. No finding of severity `error` means conforming. Does not throw. */
export function validateCatalog(value: unknown): Finding[] {
  if (!isObject(value)) return [notADocument(value, 'Catalog')];
  const report = new Report(value);
  checkNode(report, value, 'Catalog');
  return report.findings;
}

/** What a Catalog and a Collection have in common: texts, metadata, links with exactly one root. */
export function checkNode(report: Report, node: JsonObject, type: 'Catalog' | 'Collection'): void {
  checkDocument(report, node, type);
  checkMetadata(report, '', node);
  if (!isText(node['description'])) {
    report.add('/description', {
      rule: 'description',
      got: node['description'],
      expected: 'a text that is not empty',
      fix: 'give it',
      source: 'stac',
    });
  }
  if (node['title'] === undefined) {
    report.add(at('', 'title'), {
      rule: 'title',
      severity: 'warning',
      got: undefined,
      expected: 'a text',
      fix: 'give it: clients show it',
      source: 'stac',
    });
  }
  checkLinks(report, node['links'], { once: ['root'], unlabelled: 'warning' });
}

/** The finding for a document that is not even an object. */
export function notADocument(value: unknown, type: string): Finding {
  const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  return {
    pointer: '',
    rule: 'document.object',
    severity: 'error',
    got,
    expected: `a ${type}`,
    fix: 'give the parsed JSON object',
    source: 'stac',
  };
}
