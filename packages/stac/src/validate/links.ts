import { EXTENSIONS } from '../extensions.ts';
import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { MEDIA } from '../media-types.ts';
import { hrefKind, sameTarget } from './formats.ts';
import { checkMetadata } from './metadata.ts';
import { checkReference } from './references.ts';
import { at, type Report } from './report.ts';
import type { Severity } from '../errors.ts';
import { comparable, isString, listOf, matches } from './checks.ts';

/** Requirements for a document's links. */
export interface LinkProfile {
  /** Relations that must occur exactly once. */
  readonly once: readonly string[];
  /** Severity of a missing `type` or `title`; undefined if the profile does not require these members. */
  readonly unlabelled: Severity | undefined;
}

/** Requirements of the profile `stac`, in which no link is required. */
export const ANY_LINKS: LinkProfile = { once: [], unlabelled: undefined };

interface ValidLink {
  readonly pointer: string;
  readonly rel: string;
  readonly href: string;
  readonly link: JsonObject;
}

/** Checks a document's `links`; returns those with the texts `rel` and `href`, by relation. */
export function checkLinks(
  report: Report,
  links: unknown,
  profile: LinkProfile,
): ReadonlyMap<string, readonly ValidLink[]> {
  const byRel = new Map<string, ValidLink[]>();
  if (!isList(links)) {
    report.add('/links', {
      rule: 'links.list',
      got: links,
      expected: 'a list of links',
      fix: `write ${profile.once.length === 0 ? '[] if there are none' : `at least ${profile.once.join(', ')}`}`,
      source: 'stac',
    });
    return byRel;
  }
  // A `Set`, because a Collection may have very many links.
  const requests = new Set<string>();
  for (const [index, link] of links.entries()) {
    const valid = checkLink(report, at('/links', index), { link, profile });
    if (valid === undefined) continue;
    const request = requestOf(valid);
    if (requests.has(request)) reportRepeated(report, valid);
    requests.add(request);
    const known = byRel.get(valid.rel);
    if (known === undefined) byRel.set(valid.rel, [valid]);
    else known.push(valid);
  }
  checkCounts(report, links, profile);
  checkMapLinks(report, byRel);
  return byRel;
}

/** Relations of which the web map links extension requires at least one. */
const MAP_RELS = ['xyz', 'wms', 'wmts', 'tilejson', 'pmtiles', '3d-tiles'];
const LAYERS_OF_MAPS = [
  ['wms', 'wms:layers'],
  ['wmts', 'wmts:layer'],
] as const;
const PLACEHOLDERS = /\{-?[sxyz]\}/g;

function checkMapLinks(report: Report, links: ReadonlyMap<string, readonly ValidLink[]>): void {
  if (report.declared.webMapLinks !== 'exact') return;
  const source = EXTENSIONS.webMapLinks;
  if (!MAP_RELS.some((rel) => links.has(rel)))
    report.add('/links', {
      rule: 'links.map-missing',
      got: 'absent',
      expected: `a link with one of rel ${MAP_RELS.join(', ')}`,
      fix: 'add the link, or remove the extension from stac_extensions',
      source,
    });
  for (const [rel, field] of LAYERS_OF_MAPS)
    for (const { pointer, link } of links.get(rel) ?? [])
      if (link[field] === undefined)
        report.add(at(pointer, field), {
          rule: 'links.map-layers',
          got: 'absent',
          expected: 'names of layers',
          fix: 'list the layers that the map shows',
          source,
        });
}

/**
 * Text that identifies the request of a link. Links to one target may differ in method, media type, headers or body.
 */
function requestOf({ rel, href, link: { method = 'GET', type, headers, body } }: ValidLink): string {
  return comparable([rel, href, method, type, headers, body]);
}

function checkLink(
  report: Report,
  pointer: string,
  input: { readonly link: unknown; readonly profile: LinkProfile },
): ValidLink | undefined {
  const { link, profile } = input;
  if (!isObject(link)) {
    report.add(pointer, {
      rule: 'links.link',
      got: link,
      expected: '{rel, href, type, title}',
      fix: 'write an object',
      source: 'stac',
    });
    return undefined;
  }
  checkMetadata(report, pointer, link);
  checkRequest(report, pointer, link);
  for (const key of ['rel', 'href'] as const) {
    if (!isText(link[key]))
      report.add(at(pointer, key), {
        rule: `links.${key}`,
        got: link[key],
        expected: 'a text',
        fix: `add ${key === 'rel' ? 'the relation' : 'the address'}`,
        source: 'stac',
      });
  }
  const { rel, href } = link;
  checkLabels(report, pointer, { link, profile });
  if (!isText(rel) || !isText(href)) return undefined;
  checkHref(report, at(pointer, 'href'), { rel, href });
  return { pointer, rel, href, link };
}

function checkLabels(
  report: Report,
  pointer: string,
  { link, profile }: { readonly link: JsonObject; readonly profile: LinkProfile },
): void {
  for (const key of ['type', 'title'] as const) {
    const isFree = profile.unlabelled === undefined && (link[key] === undefined || isString(link[key]));
    if (isFree || isText(link[key])) continue;
    const severity = link[key] === undefined ? (profile.unlabelled ?? 'error') : 'error';
    report.add(at(pointer, key), {
      rule: `links.${key}`,
      severity,
      got: link[key],
      expected: 'a text',
      fix: `write the target's ${key === 'type' ? 'media type' : 'title'}`,
      source: profile.unlabelled === undefined ? 'stac' : 'spec',
    });
  }
  if (profile.unlabelled === undefined) return;
  const isTree = ['root', 'collection', 'parent', 'child'].some((rel) => rel === link['rel']);
  if (isTree && isText(link['type']) && link['type'] !== MEDIA.json) {
    report.add(at(pointer, 'type'), {
      rule: 'links.type',
      got: link['type'],
      expected: MEDIA.json,
      fix: 'write application/json: catalogues and Collections are JSON',
      source: 'spec',
    });
  }
}

/** Checks `method` and `headers` of a link, which STAC 1.1 defines. */
function checkRequest(report: Report, pointer: string, link: JsonObject): void {
  const { method, headers } = link;
  if (method !== undefined && !matches(/^[A-Z]+$/)(method)) {
    report.add(at(pointer, 'method'), {
      rule: 'links.method',
      got: method,
      expected: 'an HTTP method in capitals',
      fix: 'write GET or POST',
      source: 'stac',
    });
  }
  const isValid =
    headers === undefined ||
    (isObject(headers) && Object.values(headers).every((value) => isString(value) || listOf(isString)(value)));
  if (!isValid) {
    report.add(at(pointer, 'headers'), {
      rule: 'links.headers',
      got: headers,
      expected: 'name -> text or list of texts',
      fix: 'write the headers as an object of texts',
      source: 'stac',
    });
  }
}

function checkHref(
  report: Report,
  pointer: string,
  { rel, href: written }: { readonly rel: string; readonly href: string },
): void {
  const href = rel === 'xyz' ? written.replace(PLACEHOLDERS, '0') : written;
  if (!report.isHeadwater) {
    checkReference(report, pointer, { href, isAbsolute: rel === 'self' });
    return;
  }
  const kind = hrefKind(href);
  if (kind === 'http' || (kind === 'relative' && rel !== 'self')) return;
  const expected = rel === 'self' ? 'an absolute http(s) URL' : 'an http(s) URL or a relative reference';
  report.add(pointer, {
    rule: kind === 'local' ? 'href.local-path' : 'href.fetchable',
    got: written,
    expected,
    fix: 'write an address that other clients can fetch',
    source: 'spec',
  });
}

function reportRepeated(report: Report, { pointer, rel }: ValidLink): void {
  report.add(pointer, {
    rule: 'links.repeated',
    severity: 'warning',
    got: `a second link ${rel} with the same target and request`,
    expected: 'each link once',
    fix: 'remove one',
    source: 'headwater',
  });
}

function checkCounts(report: Report, links: readonly unknown[], profile: LinkProfile): void {
  const rels = links.map((link) => (isObject(link) ? link['rel'] : undefined));
  for (const rel of new Set([...profile.once, 'root', 'self', 'parent', 'collection'])) {
    const count = rels.filter((each) => each === rel).length;
    if (count === 0 && profile.once.includes(rel)) {
      report.add('/links', {
        rule: `links.${rel}-missing`,
        got: 'absent',
        expected: `a link with rel ${rel}`,
        fix: 'add the link',
        source: 'spec',
      });
    } else if (count > 1) {
      report.add('/links', {
        rule: `links.${rel}-twice`,
        got: `${String(count)} links`,
        expected: `one link with rel ${rel}`,
        fix: 'keep one',
        source: 'stac',
      });
    }
  }
}

/** Checks that the collection and parent links of an Item have the same target. */
export function checkSameParent(report: Report, links: ReadonlyMap<string, readonly ValidLink[]>): void {
  const [collection] = links.get('collection') ?? [];
  const [parent] = links.get('parent') ?? [];
  if (collection === undefined || parent === undefined || sameTarget(collection.href, parent.href)) return;
  report.add('/links', {
    rule: 'links.parent-is-collection',
    got: parent.href,
    expected: collection.href,
    fix: 'link both to the Collection',
    source: 'spec',
  });
}
