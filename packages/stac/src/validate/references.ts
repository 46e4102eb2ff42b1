import { hrefKind, isIri, isIriReference } from './formats.ts';
import type { Report } from './report.ts';

interface Reference {
  readonly href: string;
  /** True for `self`, which needs an absolute address since STAC 1.1.0. */
  readonly isAbsolute: boolean;
}

/** Asset ids of Earth-observation platforms, which are valid references by the rules of STAC. */
const ASSET_ID = /^(?:ee:\/\/|projects\/[^/]+\/assets\/)/;

/** Checks an href by the rules of STAC. A local path or an asset id causes a warning: clients cannot fetch it. */
export function checkReference(report: Report, pointer: string, { href, isAbsolute }: Reference): void {
  const kind = hrefKind(href);
  if (!isIriReference(href) || (kind === 'malformed' && !isIri(href))) {
    report.add(pointer, {
      rule: 'href.fetchable',
      got: href,
      expected: 'an address or a relative reference',
      fix: 'encode blanks and other forbidden characters',
      source: 'stac',
    });
  } else if (isAbsolute && !isIri(href)) {
    report.add(pointer, {
      rule: 'href.absolute',
      severity: report.isV100 ? 'warning' : 'error',
      got: href,
      expected: 'an absolute address',
      fix: 'write the address of the document itself, or leave the self link out',
      source: 'stac',
    });
  } else if (ASSET_ID.test(href)) {
    report.add(pointer, {
      rule: 'href.asset-id',
      severity: 'warning',
      got: href,
      expected: 'an address that other clients can fetch',
      fix: 'export the asset, and write the address of the export',
      source: 'stac',
    });
  } else if (kind === 'local') {
    report.add(pointer, {
      rule: 'href.local-path',
      severity: 'warning',
      got: href,
      expected: 'an address that other clients can fetch',
      fix: 'publish the file, or write its path relative to the document',
      source: 'stac',
    });
  }
}
