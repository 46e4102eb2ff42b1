import { isObject } from '@headwater/core';
import { describeFinding, validateItem } from '@headwater/stac';
import { badMember } from '../wire/request-error.ts';
import { sentences } from '../wire/sentences.ts';

type Result = Readonly<Record<string, unknown>>;

/** Most faults of Items that a refusal tells. */
const MOST_TOLD = 5;

/** Throws `validation`, naming the member, for a result that has no STAC Item, or one that is broken. */
export function checkResult(result: Result): void {
  const items = itemsOf(result);
  if (items.length === 0) throw badMember('result', sentences.noItem);
  for (const [where, item] of items) {
    if (!isObject(item)) throw badMember(`result.${where}`, sentences.notObject);
    const faults = validateItem(item).filter(({ severity }) => severity === 'error');
    if (faults.length === 0) continue;
    const told = faults.slice(0, MOST_TOLD).map(describeFinding).join('; ');
    throw badMember(`result.${where}`, faults.length > MOST_TOLD ? `${told}; and more` : told);
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
