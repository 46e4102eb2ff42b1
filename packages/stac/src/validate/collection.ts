import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { isString, listOf } from './checks.ts';
import { checkNode, notADocument } from './catalog.ts';
import { checkUsed } from './item-extensions.ts';
import { checkExtent } from './extent.ts';
import type { Finding } from '../errors.ts';
import { hrefKind } from './formats.ts';
import { checkAlternates } from './alternates.ts';
import { checkListed, checkMetadata } from './metadata.ts';
import { checkOpenAssets } from './open-assets.ts';
import type { Profile } from './profile.ts';
import { at, Report } from './report.ts';
import { checkSummaries } from './summaries.ts';

/** Returns all findings of a Collection by the rules of a profile. Does not throw. */
export function validateCollection(value: unknown, profile: Profile): Finding[] {
  if (!isObject(value)) return [notADocument(value, 'Collection')];
  const report = new Report(value, profile);
  checkNode(report, value, 'Collection');
  if (!isText(value['license'])) {
    report.add('/license', {
      rule: 'license',
      got: value['license'],
      expected: 'an SPDX identifier, or other',
      fix: 'write e.g. CC-BY-4.0',
      source: 'stac',
    });
  }
  checkExtent(report, value['extent']);
  checkSummaries(report, value['summaries']);
  checkListed(report, '/providers', { list: value['providers'], owner: 'processing' });
  checkItemAssets(report, value['item_assets']);
  if (report.isHeadwater) checkCollectionAssets(report, value['assets']);
  else if (value['assets'] !== undefined) checkOpenAssets(report, value['assets']);
  checkUse(report, value);
  return report.findings;
}

function checkItemAssets(report: Report, itemAssets: unknown): void {
  if (itemAssets === undefined) return;
  if (!isObject(itemAssets)) {
    report.add('/item_assets', {
      rule: 'item_assets.object',
      got: itemAssets,
      expected: 'an object of asset descriptions',
      fix: 'write key -> {type, roles, ..}, or leave it out',
      source: 'stac',
    });
    return;
  }
  for (const [key, asset] of Object.entries(itemAssets)) {
    const pointer = at('/item_assets', key);
    if (!isObject(asset) || Object.keys(asset).length < 2 || asset['href'] !== undefined) {
      report.add(pointer, {
        rule: 'item_assets',
        got: asset,
        expected: 'at least two fields, and no href',
        fix: 'describe the asset: type, roles, title',
        source: 'stac',
      });
    }
    if (isObject(asset)) {
      checkMediaType(report, pointer, asset);
      checkMetadata(report, pointer, asset);
      checkAlternates(report, pointer, { asset, form: 'without href' });
    }
  }
}

function checkCollectionAssets(report: Report, assets: unknown): void {
  if (assets === undefined) return;
  if (!isObject(assets)) {
    report.add('/assets', {
      rule: 'assets.object',
      got: assets,
      expected: 'an object of assets',
      fix: 'write key -> {href, ..}',
      source: 'stac',
    });
    return;
  }
  for (const [key, asset] of Object.entries(assets)) {
    const pointer = at('/assets', key);
    if (!isObject(asset) || !isText(asset['href']) || hrefKind(asset['href']) !== 'http') {
      report.add(pointer, {
        rule: 'assets.href',
        got: asset,
        expected: 'an asset with an absolute http(s) href',
        fix: 'write an address that clients can fetch',
        source: 'stac',
      });
    }
    if (isObject(asset)) {
      checkMediaType(report, pointer, asset);
      checkMetadata(report, pointer, asset);
      checkAlternates(report, pointer, { asset, form: 'with href' });
    }
  }
}

function checkMediaType(report: Report, pointer: string, asset: JsonObject): void {
  if (asset['type'] === undefined || isString(asset['type'])) return;
  report.add(at(pointer, 'type'), {
    rule: 'assets.type',
    got: asset['type'],
    expected: 'a text',
    fix: 'write the media type',
    source: 'stac',
  });
}

function checkUse(report: Report, collection: JsonObject): void {
  const [summaries, providers] = [collection['summaries'], collection['providers']];
  const isProducer = (provider: unknown): provider is JsonObject =>
    isObject(provider) &&
    listOf(isString)(provider['roles']) &&
    ['producer', 'processor'].some((role) => (provider['roles'] as readonly string[]).includes(role));
  const nested = [collection['assets'], collection['item_assets']].flatMap((group) =>
    isObject(group) ? Object.values(group) : [],
  );
  const own = isObject(summaries) ? [summaries] : [];
  checkUsed(report, {
    processing: [...nested, ...own, ...(isList(providers) ? providers.filter(isProducer) : [])],
    raster: [...nested, ...own, ...bandsOf([collection, ...nested])],
  });
}

function bandsOf(holders: readonly unknown[]): readonly unknown[] {
  return holders.flatMap((holder) => (isObject(holder) && isList(holder['bands']) ? holder['bands'] : []));
}
