import { createHash } from 'node:crypto';
import { isObject, type ItemForm, type PublishedItem } from '@headwater/core';
import { collectionId, MEDIA } from '@headwater/stac';
import type { ServiceDeps } from '../../deps.ts';
import { BASE_TOKEN } from '../../wire/addresses.ts';
import { stacApiAddresses } from '../../wire/stac-api/addresses.ts';
import { publicItem } from '../public-item.ts';

type Publication = ServiceDeps['publication'];

/** What is written changes with this number: a store writes kept texts anew. */
const EDITION = 1;
const OF_TREE: readonly unknown[] = ['root', 'self', 'parent', 'collection'];
const forms = new WeakMap<Publication, ItemForm>();

/**
 * How the STAC API writes Items: final when they are published but for the stand-in of the base address. Links of the tree lead to
 * this API.
 */
export function itemForm(publication: Publication): ItemForm {
  const known = forms.get(publication);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(JSON.stringify(publication)).digest('hex').slice(0, 16);
  const made = { name: `stac-api-${EDITION}-${digest}`, text: (item: PublishedItem) => textOf(item, publication) };
  forms.set(publication, made);
  return made;
}

function textOf(published: PublishedItem, publication: Publication): string {
  const item = publicItem(published, { baseUrl: BASE_TOKEN, publication });
  return JSON.stringify({ ...item, links: apiLinks(published, item['links'], publication) });
}

function apiLinks({ collectionPath, id }: PublishedItem, links: unknown, { title }: Publication): readonly unknown[] {
  const given = Array.isArray(links) ? links.filter(isObject) : [];
  const addresses = stacApiAddresses(BASE_TOKEN);
  const collection = collectionId(collectionPath);
  const titled = (rel: string): object => {
    const known = given.find((link) => link['rel'] === rel)?.['title'];
    return typeof known === 'string' ? { title: known } : {};
  };
  return [
    { rel: 'root', href: addresses.landing, type: MEDIA.json, title },
    { rel: 'self', href: addresses.item(collection, id), type: MEDIA.geojson, ...titled('self') },
    { rel: 'parent', href: addresses.collection(collection), type: MEDIA.json, ...titled('parent') },
    { rel: 'collection', href: addresses.collection(collection), type: MEDIA.json, ...titled('collection') },
    ...given.filter(({ rel }) => !OF_TREE.includes(rel)),
  ];
}

/** Texts as they were stored, with the public base address in place of its stand-in. */
export function withPublicBase(text: string, base: string): string {
  return text.replaceAll(`${BASE_TOKEN}/`, `${base}/`);
}
