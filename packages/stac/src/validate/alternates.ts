import { EXTENSIONS } from '../extensions.ts';
import { isObject, type JsonObject } from '../json.ts';
import { hrefKind } from './formats.ts';
import { checkMetadata, undeclared } from './metadata.ts';
import { at, type Report } from './report.ts';

const source = EXTENSIONS.alternate;
const FIELDS = ['alternate', 'alternate:name'] as const;

type AlternateForm = 'with href' | 'without href';

interface AlternateHolder {
  readonly asset: JsonObject;
  readonly form: AlternateForm;
}

/**
 * Checks the field `alternate` of an asset: an object of at least one alternate. `form` determines whether each
 * alternate needs an href or must not have an href.
 */
export function checkAlternates(report: Report, pointer: string, { asset, form }: AlternateHolder): void {
  const { alternate } = asset;
  const { alternate: declared } = report.declared;
  if (alternate === undefined || declared === 'other') return;
  const here = at(pointer, 'alternate');
  if (declared === 'none') undeclared(report, here, 'alternate');
  if (!isObject(alternate) || Object.keys(alternate).length === 0) {
    report.add(here, {
      rule: 'alternate.object',
      got: alternate,
      expected: 'an object of at least one alternate',
      fix: 'add an alternate, or remove the field',
      source,
    });
    return;
  }
  for (const [name, each] of Object.entries(alternate))
    checkAlternate(report, at(here, name), { alternate: each, form });
}

function checkAlternate(
  report: Report,
  pointer: string,
  { alternate, form }: Pick<AlternateHolder, 'form'> & { readonly alternate: unknown },
): void {
  if (!isObject(alternate)) {
    report.add(pointer, {
      rule: 'alternate.alternate',
      got: alternate,
      expected: 'an object',
      fix: 'write {href, ..}',
      source,
    });
    return;
  }
  const { href } = alternate;
  const isValid =
    form === 'with href' ? typeof href === 'string' && hrefKind(href) !== 'malformed' : href === undefined;
  if (!isValid) {
    report.add(at(pointer, 'href'), {
      rule: 'alternate.href',
      got: href,
      expected: form === 'with href' ? 'an address' : 'no href, because item_assets describe assets of several Items',
      fix: form === 'with href' ? 'write the address of the alternate' : 'leave it out',
      source,
    });
  }
  checkMetadata(report, pointer, alternate);
}

/**
 * Reports assets whose key is also a field of the alternate extension. The schema of the extension would read such an
 * asset as the field.
 */
export function checkAssetKeys(report: Report, assets: JsonObject): void {
  if (report.declared.alternate !== 'exact') return;
  for (const key of FIELDS) {
    if (assets[key] === undefined) continue;
    report.add(at('/assets', key), {
      rule: 'alternate.asset-key',
      got: key,
      expected: 'another key: the extension has a field of that name',
      fix: 'rename the asset',
      source,
    });
  }
}
