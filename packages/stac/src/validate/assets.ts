import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { MEDIA } from '../media-types.ts';
import { checkAlternates, checkAssetKeys } from './alternates.ts';
import { checkHrefForm } from './deliverable.ts';
import { hrefKind } from './formats.ts';
import { checkMetadata } from './metadata.ts';
import { at, type Report } from './report.ts';

const KINDS: Readonly<Record<string, { readonly types: readonly string[]; readonly role: string }>> = {
  data: { types: [MEDIA.geojson, MEDIA.geotiff], role: 'data' },
  style: { types: [MEDIA.xml], role: 'metadata' },
  thumbnail: { types: [MEDIA.png], role: 'thumbnail' },
};

/** Kind of layer, from the media type of the `data` asset. */
export type LayerKind = 'vector' | 'raster' | 'unknown';

/** Checks an Item's `assets`; returns the kind of layer. */
export function checkAssets(report: Report, assets: unknown): LayerKind {
  if (!isObject(assets)) {
    report.add('/assets', {
      rule: 'assets.object',
      got: assets,
      expected: 'an object of assets',
      fix: 'add at least the asset data',
      source: 'stac',
    });
    return 'unknown';
  }
  for (const [key, asset] of Object.entries(assets)) checkAsset(report, key, asset);
  checkAssetKeys(report, assets);
  if (assets['data'] === undefined) {
    report.add('/assets/data', {
      rule: 'assets.data-missing',
      got: undefined,
      expected: 'the layer itself',
      fix: 'add the asset data with an http(s) href',
      source: 'spec',
    });
  }
  for (const key of ['style', 'thumbnail']) {
    if (assets[key] !== undefined) continue;
    report.add(at('/assets', key), {
      rule: `assets.${key}-missing`,
      severity: 'info',
      got: undefined,
      expected: `an asset ${key}, if there is such a file`,
      fix: 'add the asset if the file exists',
      source: 'spec',
    });
  }
  return layerKind(assets['data']);
}

function checkAsset(report: Report, key: string, asset: unknown): void {
  const pointer = at('/assets', key);
  if (!isObject(asset)) {
    report.add(pointer, {
      rule: 'assets.asset',
      got: asset,
      expected: '{href, type, title, roles}',
      fix: 'write an object',
      source: 'stac',
    });
    return;
  }
  checkMetadata(report, pointer, asset);
  checkAlternates(report, pointer, { asset, form: 'with href' });
  for (const field of ['href', 'type', 'title'] as const) {
    if (!isText(asset[field]))
      report.add(at(pointer, field), {
        rule: `assets.${field}`,
        got: asset[field],
        expected: 'a text',
        fix: `add the ${field}`,
        source: 'spec',
      });
  }
  if (!isList(asset['roles']) || asset['roles'].length === 0) {
    report.add(at(pointer, 'roles'), {
      rule: 'assets.roles',
      got: asset['roles'],
      expected: 'a list of roles',
      fix: 'write e.g. ["data"]',
      source: 'spec',
    });
  }
  if (isText(asset['href'])) checkAssetHref(report, at(pointer, 'href'), asset['href']);
  checkKind(report, key, asset);
}

function checkAssetHref(report: Report, pointer: string, href: string): void {
  const kind = hrefKind(href);
  if (kind === 'http') return;
  if (checkHrefForm(report, pointer, href)) return;
  const isPath = kind === 'local' || href.startsWith('/');
  report.add(pointer, {
    rule: isPath ? 'href.local-path' : 'href.fetchable',
    got: href,
    expected: 'an absolute http(s) URL',
    fix:
      kind === 'scheme'
        ? 'write the https address of the object in the store'
        : 'write an address that other clients can fetch',
    source: 'spec',
  });
}

function checkKind(report: Report, key: string, asset: JsonObject): void {
  const kind = Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
  if (kind === undefined) return;
  const { type, roles } = asset;
  if (isText(type) && !kind.types.includes(type)) {
    report.add(at(at('/assets', key), 'type'), {
      rule: `assets.${key}-type`,
      got: type,
      expected: kind.types.join(' or '),
      fix: 'write exactly this media type',
      source: 'spec',
    });
  }
  if (isList(roles) && roles.length > 0 && !roles.includes(kind.role)) {
    report.add(at(at('/assets', key), 'roles'), {
      rule: `assets.${key}-roles`,
      got: roles,
      expected: `["${kind.role}"]`,
      fix: 'add the role',
      source: 'spec',
    });
  }
}

function layerKind(data: unknown): LayerKind {
  const type = isObject(data) ? data['type'] : undefined;
  if (typeof type !== 'string') return 'unknown';
  if (type.startsWith(MEDIA.geojson)) return 'vector';
  return type.startsWith('image/tiff') ? 'raster' : 'unknown';
}
