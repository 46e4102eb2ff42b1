import { StacError } from '../errors.ts';
import { isText } from '../json.ts';
import { MEDIA } from '../media-types.ts';
import type { ItemLinks, Link } from '../types.ts';
import type { ItemInput, LinkTarget } from './inputs.ts';

/**
 * Returns an absolute http(s) URL without credentials. Throws `StacError` for any other href; `where` names the field.
 */
export function httpHref(href: string, where: string): string {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  const isHttp = url !== undefined && /^https?:\/\//i.test(href) && !/[\s\\]/.test(href);
  if (!isHttp || url.username !== '' || url.password !== '') {
    throw new StacError(
      `${where}: ${JSON.stringify(href)} is not an absolute http(s) URL; give one that clients can fetch`,
    );
  }
  return href;
}

/** Returns a text that is not blank. Throws `StacError` for a blank text; `where` names the field. */
export function filledText(text: string, where: string): string {
  if (!isText(text))
    throw new StacError(`${where}: it is ${text === '' ? 'empty' : 'blank or not a text'}; give a text`);
  return text;
}

/** A link; `type` defaults to `application/json`. Throws `StacError` for an href that is not absolute http(s). */
export function link<Rel extends string>(rel: Rel, target: LinkTarget): Link<Rel> {
  return {
    rel,
    href: httpHref(target.href, `links.${rel}`),
    type: target.type ?? MEDIA.json,
    title: filledText(target.title, `links.${rel}.title`),
  };
}

/** Links of an Item: root, collection and parent, then self, derived_from and via if present. */
export function itemLinks(input: ItemInput): ItemLinks {
  const { root, collection, self, title } = input;
  return [
    link('root', root),
    link('collection', { href: collection.href, title: collection.title }),
    link('parent', { href: collection.href, title: collection.title }),
    ...(self === undefined ? [] : [link('self', { href: self, title, type: MEDIA.geojson })]),
    ...(input.derivedFrom ?? []).map((target) => link('derived_from', target)),
    ...(input.via ?? []).map((target) => link('via', target)),
  ];
}
