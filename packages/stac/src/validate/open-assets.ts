import { isObject, isText } from '../json.ts';
import { checkAlternates, checkAssetKeys } from './alternates.ts';
import { isString } from './checks.ts';
import { checkMetadata } from './metadata.ts';
import { checkReference } from './references.ts';
import { at, type Report } from './report.ts';

/** Checks assets by the profile `stac`: each needs an href and valid fields. */
export function checkOpenAssets(report: Report, assets: unknown): void {
  if (!isObject(assets)) {
    report.add('/assets', {
      rule: 'assets.object',
      got: assets,
      expected: 'an object of assets',
      fix: 'write key -> {href, ..}, or {} if there are no assets',
      source: 'stac',
    });
    return;
  }
  for (const [key, asset] of Object.entries(assets)) checkOpenAsset(report, at('/assets', key), asset);
}

/** Checks an Item's assets by the profile `stac`, and the assets' keys. */
export function checkOpenItemAssets(report: Report, assets: unknown): void {
  checkOpenAssets(report, assets);
  if (isObject(assets)) checkAssetKeys(report, assets);
}

function checkOpenAsset(report: Report, pointer: string, asset: unknown): void {
  const source = 'stac';
  if (!isObject(asset)) {
    const expected = '{href, ..}';
    report.add(pointer, { rule: 'assets.asset', got: asset, expected, fix: 'write an object', source });
    return;
  }
  const { href, type } = asset;
  if (!isText(href))
    report.add(at(pointer, 'href'), {
      rule: 'assets.href',
      got: href,
      expected: 'a text',
      fix: 'add the address',
      source,
    });
  else checkReference(report, at(pointer, 'href'), { href, isAbsolute: false });
  if (type !== undefined && !isString(type)) {
    const fix = 'write the media type';
    report.add(at(pointer, 'type'), { rule: 'assets.type', got: type, expected: 'a text', fix, source });
  }
  checkMetadata(report, pointer, asset);
  checkAlternates(report, pointer, { asset, form: 'with href' });
}
