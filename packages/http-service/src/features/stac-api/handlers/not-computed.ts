import { isDomainError } from '@headwater/core';
import { collectionPath } from '@headwater/stac';
import type { Ports, ServiceDeps } from '../../../deps.ts';
import { namesOnPath } from '../../../items/first-tehsil.ts';
import { listingOf } from '../../../items/pipeline-listing.ts';
import { collectionHrefs } from '../../../items/place-titles.ts';
import { pageLinks } from '../../../pages/layout.ts';
import type { Crumb } from '../../../pages/parts.ts';
import { computeFormAddress } from '../../../screens/compute-address.ts';
import { sayIn } from '../../../pages/texts.ts';
import { computePath, paths } from '../../../wire/paths.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import type { Language } from '../../../wire/words.ts';
import { findExampleNames } from '../../system/handlers/example-names.ts';
import type { NotComputedFacts } from '../page/not-computed-page.ts';

type Deps = Ports<
  | 'accounts'
  | 'baseUrl'
  | 'canCompute'
  | 'documents'
  | 'featured'
  | 'pipelines'
  | 'screens'
  | 'stores'
  | 'version'
  | 'workService'
>;

const MOST_CHILDREN = 500;

/**
 * Data of the page of a known place without layers. `error`: the `not_found` error of the place's Collection. Any other
 * error is thrown again.
 */
export async function notComputedFacts(
  deps: Deps,
  { slugs, language }: { readonly slugs: readonly string[]; readonly language: Language },
  error: unknown,
): Promise<Omit<NotComputedFacts, 'shell'>> {
  if (!isDomainError(error) || error.details['kind'] !== 'collection' || error.details['place'] === undefined)
    throw error;
  const { baseUrl, version, canCompute, stores } = deps;
  const say = sayIn(language);
  const names = await namesOnPath(stores.places, slugs);
  const [name = '', ...others] = names.toReversed();
  const { prefix } = pageLinks(baseUrl);
  const hrefs = collectionHrefs(deps);
  const hrefOf = ([state = '', ...below]: readonly string[]): string => hrefs(collectionPath(state, ...below));
  const above = names.slice(0, -1).map((title, at) => ({ title, href: hrefOf(names.slice(0, at + 1)) }));
  const children = await childrenOf(stores.places, slugs);
  return {
    prefix,
    baseUrl,
    version,
    canCompute,
    names: [name, ...others],
    above: [{ title: say('catalogue'), href: prefix + paths.catalog }, ...above],
    below: say(slugs.length === 1 ? 'districts' : 'tehsils'),
    children: children.slice(0, MOST_CHILDREN).map((title): Crumb => ({ title, href: hrefOf([...names, title]) })),
    form: formOf(deps, names),
    computation: slugs.length === 3 ? await firstComputation(deps, names, language) : undefined,
  };
}

async function childrenOf(
  places: ServiceDeps['stores']['places'],
  [stateSlug = '', districtSlug, tehsilSlug]: readonly string[],
): Promise<readonly string[]> {
  const state = tehsilSlug === undefined ? await places.findState(stateSlug) : undefined;
  if (state === undefined) return [];
  if (districtSlug === undefined) return (await places.districts(state.id)).map(({ name }) => name);
  const district = await places.findDistrict(state.id, districtSlug);
  return district === undefined ? [] : (await places.tehsilUnits(district.id)).map(({ name }) => name);
}

function formOf(deps: Deps, [state = '', district = '', tehsil = '']: readonly string[]): string | undefined {
  return computeFormAddress(deps, { state, district, tehsil });
}

async function firstComputation(
  deps: Deps,
  names: readonly string[],
  language: Language,
): Promise<NotComputedFacts['computation']> {
  const [pipeline] = deps.pipelines;
  if (pipeline === undefined || !deps.canCompute) return undefined;
  const known = await deps.documents.known(() => findExampleNames(deps));
  const [state, district, block] = names;
  const body = exampleBody(pipeline.examples[0]?.request);
  const values = Object.entries({ ...known.body, state, district, block });
  return {
    title: listingOf(pipeline, language).title,
    path: computePath(pipeline.route),
    body: { ...body, ...Object.fromEntries(values.filter(([name]) => Object.hasOwn(body, name))) },
  };
}
