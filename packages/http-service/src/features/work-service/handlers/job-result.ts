import { isObject } from '@headwater/core/values';
import { describeFinding, validateItem } from '@headwater/stac';
import type { Ports, ServiceDeps } from '../../../deps.ts';
import { badMember } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';

type Result = Readonly<Record<string, unknown>>;

/** Most faults of Items that a refusal tells. */
const MOST_TOLD = 5;
/** Most files of a result: a layer of twenty years has some 150. */
const MOST_FILES = 1000;
const FIRST_FAILURE = 400;

/** Throws `validation`, naming the member, for a result that has no STAC Item, one that is broken, or one whose file this service should have and has not. */
export async function checkResult(result: Result, { statusOf }: Ports<'statusOf'>): Promise<void> {
  const items = itemsOf(result);
  if (items.length === 0) throw badMember('result', sentences.noItem);
  for (const [where, item] of items) {
    if (!isObject(item)) throw badMember(`result.${where}`, sentences.notObject);
    const faults = validateItem(item, 'headwater').filter(({ severity }) => severity === 'error');
    if (faults.length === 0) continue;
    const told = faults.slice(0, MOST_TOLD).map(describeFinding).join('; ');
    throw badMember(`result.${where}`, faults.length > MOST_TOLD ? `${told}; and more` : told);
  }
  await checkFiles(
    items.flatMap(([where, item]) => filesOf(item, where)),
    statusOf,
  );
}

/** Addresses of an Item's files with the names of their members. */
function filesOf(item: unknown, where: string): readonly (readonly [member: string, href: string])[] {
  const assets: unknown = isObject(item) ? item['assets'] : undefined;
  return Object.entries(isObject(assets) ? assets : {}).flatMap(([name, asset]) => {
    const href: unknown = isObject(asset) ? asset['href'] : undefined;
    return typeof href === 'string' ? [[`result.${where}.assets.${name}.href`, href] as const] : [];
  });
}

/** Files elsewhere are not asked for: whoever may post would choose whom this service calls. */
async function checkFiles(files: ReturnType<typeof filesOf>, statusOf: ServiceDeps['statusOf']): Promise<void> {
  if (files.length > MOST_FILES) throw badMember('result', sentences.tooManyFiles(MOST_FILES));
  for (const [member, href] of files) {
    const status = await statusOf(href);
    if (status !== undefined && status >= FIRST_FAILURE) throw badMember(member, sentences.noFileHere);
  }
}

/** The Items of a result with the names of their members: the list, and the one that readers of the live system look at. */
function itemsOf(result: Result): readonly (readonly [where: string, item: unknown])[] {
  const { stac_items: list, stac_spec: first } = result;
  if (list !== undefined && list !== null && !Array.isArray(list))
    throw badMember('result.stac_items', sentences.notList);
  const listed = Array.isArray(list) ? list.map((item: unknown, at) => [`stac_items.${at}`, item] as const) : [];
  return first === undefined || first === null ? listed : [...listed, ['stac_spec', first] as const];
}
