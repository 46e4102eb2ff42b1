import { hrefKind, isIri, isIriReference } from './formats.ts';
import type { Report } from './report.ts';

/** An href and the form that the profile `stac` requires. */
interface Reference {
  readonly href: string;
  /** True for a `self` link. Since STAC 1.1.0 such a link must have the absolute address of the document. */
  readonly isAbsolute: boolean;
}

/**
 * Matches an asset id of an Earth-observation platform. By the rules of STAC such an id is a valid relative reference. It is not meant as a
 * reference, because no catalogue has folders with such names.
 */
const ASSET_ID = /^(?:ee:\/\/|projects\/[^/]+\/assets\/)/;

/**
 * Checks an href by the rules of STAC: it must be an address or a relative reference. A local path conforms, but causes a warning, because
 * clients cannot fetch it.
 */
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
