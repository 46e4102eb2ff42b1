import { buildCatalog, collectionId, MEDIA } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { OF_PUBLISHED } from './collection-members.ts';
import { CONFORMANCE } from '../schemas/conformance.ts';
import { SERVICE_DESC_TYPE, stacApiAddresses } from '../schemas/addresses.ts';
import { titlesAlong } from '../../../items/place-titles.ts';
import { QUERYABLES_REL, SCHEMA_TYPE } from './collections.ts';
import type { ApiLink } from './links.ts';

/** The landing page: a catalogue of the states, with the links by which clients find the rest. */
export async function landingPage(deps: Ports<'baseUrl' | 'publication' | 'stores'>): Promise<object> {
  const { baseUrl, publication, stores } = deps;
  const addresses = stacApiAddresses(baseUrl);
  const states = (await stores.catalog.collection(''))?.children ?? [];
  const titleOf = await titlesAlong(deps, '');
  const built = buildCatalog(
    {
      id: 'headwater',
      title: publication.title,
      description:
        'Layers computed per tehsil, to be browsed and searched: states, districts and blocks, with Items below blocks.',
      self: addresses.landing,
      conformsTo: CONFORMANCE,
      children: states.map((path) => ({ href: addresses.collection(collectionId(path)), title: titleOf(path) })),
    },
    OF_PUBLISHED,
  );
  const search = { rel: 'search', href: addresses.search, type: MEDIA.geojson } as const;
  const links: readonly ApiLink[] = [
    ...built.links,
    { rel: 'data', href: addresses.collections, type: MEDIA.json, title: 'Collections' },
    { rel: 'conformance', href: addresses.conformance, type: MEDIA.json, title: 'Conformance classes' },
    { ...search, title: 'Search by query', method: 'GET' },
    { ...search, title: 'Search by body', method: 'POST' },
    { rel: QUERYABLES_REL, href: addresses.queryables, type: SCHEMA_TYPE, title: 'Queryables' },
    { rel: 'children', href: addresses.children, type: MEDIA.json, title: 'States' },
    { rel: 'service-desc', href: addresses.serviceDesc, type: SERVICE_DESC_TYPE, title: 'OpenAPI' },
    { rel: 'service-doc', href: addresses.serviceDoc, type: MEDIA.html, title: 'API reference' },
  ];
  return { ...built, links };
}
