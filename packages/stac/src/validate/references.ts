import { hrefKind, isIri, isIriReference } from './formats.ts';
import type { Report } from './report.ts';

/** What an href of anybody's document must be. */
interface Wanted {
  readonly href: string;
  /** Since STAC 1.1.0 a `self` link names where the document itself is, in full. */
  readonly isAbsolute: boolean;
}

/** An id of an Earth-observation platform: to STAC a relative reference like any other, and no catalogue has such folders. */
const ASSET_ID = /^(?:ee:\/\/|projects\/[^/]+\/assets\/)/;

/** Checks an href as STAC does: any address or relative reference. A path of somebody's own disk is one too, and leads nowhere. */
export function checkReference(report: Report, pointer: string, { href, isAbsolute }: Wanted): void {
  const kind = hrefKind(href);
  if (!isIriReference(href) || (kind === 'malformed' && !isIri(href))) {
    report.add(pointer, {
      rule: 'href.fetchable',
      got: href,
      expected: 'an address or a relative reference',
      fix: 'encode blanks and other characters that no address may hold',
      source: 'stac',
    });
  } else if (isAbsolute && !isIri(href)) {
    report.add(pointer, {
      rule: 'href.absolute',
      severity: report.isOf10 ? 'warning' : 'error',
      got: href,
      expected: 'an absolute address',
      fix: 'write where the document itself is found, or leave the self link out',
      source: 'stac',
    });
  } else if (ASSET_ID.test(href)) {
    report.add(pointer, {
      rule: 'href.asset-id',
      severity: 'warning',
      got: href,
      expected: 'an address that a client elsewhere can fetch',
      fix: 'export the asset, and write where the export is found',
      source: 'stac',
    });
  } else if (kind === 'local') {
    report.add(pointer, {
      rule: 'href.local-path',
      severity: 'warning',
      got: href,
      expected: 'an address that a client elsewhere can fetch',
      fix: 'publish the file, or write its path beside the document',
      source: 'stac',
    });
  }
}
