import { EXTENSIONS } from '../extensions.ts';
import { isList, isText, type JsonObject } from '../json.ts';
import { isUnique } from './checks.ts';
import { isIri } from './formats.ts';
import { at, type Report } from './report.ts';

const CHECKED: ReadonlySet<unknown> = new Set(Object.values(EXTENSIONS));

/** Checks common parts of documents: type, version, id, declared extensions. */
export function checkDocument(report: Report, document: JsonObject, type: 'Feature' | 'Collection' | 'Catalog'): void {
  if (document['type'] !== type) {
    report.add('/type', {
      rule: 'type',
      got: document['type'],
      expected: type,
      fix: `write "${type}"`,
      source: 'stac',
    });
  }
  checkVersion(report, document['stac_version']);
  checkId(report, '/id', document['id']);
  if (document['stac_extensions'] !== undefined) checkExtensions(report, document['stac_extensions']);
}

function checkVersion(report: Report, version: unknown): void {
  if (typeof version !== 'string' || !/^1\.\d+\.\d+$/.test(version)) {
    report.add('/stac_version', {
      rule: 'stac_version',
      got: version,
      expected: 'a 1.x version as text',
      fix: report.isHeadwater ? 'write "1.1.0"' : 'migrate the document to 1.1.0',
      source: report.isHeadwater ? 'spec' : 'stac',
    });
  } else if (report.isV100) {
    report.add('/stac_version', {
      rule: 'stac_version.older',
      severity: 'info',
      got: version,
      expected: '1.1.0, or 1.0.0',
      fix: 'nothing to do: rules that are new in 1.1.0 only cause warnings',
      source: 'stac',
    });
  } else if (version !== '1.1.0') {
    report.add('/stac_version', {
      rule: 'stac_version.unchecked',
      severity: version === '1.0.0' ? 'info' : 'warning',
      got: version,
      expected: '1.1.0',
      fix: 'write 1.1.0 if possible; the document was checked by the rules of 1.1.0',
      source: 'headwater',
    });
  }
}

/** Checks that an id is safe in a URL path, and has at most 255 characters. STAC allows any non-empty text. */
export function checkId(report: Report, pointer: string, id: unknown): void {
  const safe = typeof id === 'string' && id.length <= 255 && /^[A-Za-z0-9.,:;_-]+$/.test(id) && !/^\.+$/.test(id);
  if (safe) return;
  report.add(pointer, {
    rule: 'id.safe',
    severity: report.isHeadwater || typeof id !== 'string' || id === '' ? 'error' : 'warning',
    got: id,
    expected: '1 to 255 letters, digits and .,:;_- (no blank, no /, not only dots)',
    fix: 'build the id from slugs of layer and place names',
    source: 'headwater',
  });
}

function checkExtensions(report: Report, extensions: unknown): void {
  const pointer = '/stac_extensions';
  if (!isList(extensions) || !isUnique(extensions)) {
    report.add(pointer, {
      rule: 'extensions.list',
      got: extensions,
      expected: 'a list of schema URLs, each once',
      fix: 'remove repetitions',
      source: 'stac',
    });
    if (!isList(extensions)) return;
  }
  extensions.forEach((url, index) => {
    if (!isText(url) || !isIri(url)) {
      report.add(at(pointer, index), {
        rule: 'extensions.url',
        got: url,
        expected: 'a schema URL',
        fix: 'write the address of the JSON Schema',
        source: 'stac',
      });
    } else if (!CHECKED.has(url)) {
      report.add(at(pointer, index), {
        rule: 'extensions.unchecked',
        severity: 'info',
        got: url,
        expected: 'an extension that this validator supports',
        fix: 'check its fields with another tool; they were not checked here',
        source: 'headwater',
      });
    }
  });
}
