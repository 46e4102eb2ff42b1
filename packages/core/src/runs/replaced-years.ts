import { propertiesOfItem } from '../pipelines/item-properties.ts';
import type { NewItem } from '../ports/catalog.ts';
import type { PublishedReads } from '../ports/published.ts';
import type { Deliverable } from '../ports/runs.ts';

/** First words of the paragraph about replaced years in an Item's description. */
const PREFIX = '**Years**: this ';

/** Returns the notice about replaced years (`replaces a version of …`) in an Item's description. */
export function replacedYearsOf(item: unknown): string | undefined {
  const { description } = propertiesOfItem(item);
  if (typeof description !== 'string') return undefined;
  const paragraph = description.split('\n\n').findLast((paragraph) => paragraph.startsWith(PREFIX));
  return paragraph?.slice(PREFIX.length);
}

/**
 * Adds a notice to each new Item whose interval lacks years of the replaced version (decision 084). Also writes the
 * notice to `log`.
 */
export async function withReplacedYears(
  deliverable: Deliverable,
  published: Pick<PublishedReads, 'item'>,
  log: (line: string) => void,
): Promise<Deliverable> {
  const items: NewItem[] = [];
  for (const item of deliverable.items) {
    const notice = await noticeOf(item, deliverable, published);
    if (notice !== undefined) log(`${item.id} ${notice}`);
    items.push(notice === undefined ? item : withNotice(item, notice));
  }
  return { ...deliverable, items };
}

interface Interval {
  readonly start: string;
  readonly end: string;
}

function intervalOf(item: unknown): Interval | undefined {
  const { start_datetime: start, end_datetime: end } = propertiesOfItem(item);
  return typeof start === 'string' && typeof end === 'string' && start !== end ? { start, end } : undefined;
}

async function noticeOf(
  item: NewItem,
  deliverable: Deliverable,
  published: Pick<PublishedReads, 'item'>,
): Promise<string | undefined> {
  const present = intervalOf(item.item);
  if (present === undefined) return undefined;
  for (const { collectionPath, id } of [item, ...(item.formerly ?? [])]) {
    const earlier = intervalOf((await published.item(collectionPath, id))?.item);
    if (earlier === undefined) continue;
    const isWhole = time(present.start) <= time(earlier.start) && time(present.end) >= time(earlier.end);
    if (!isWhole) return noticeFor(earlier, present, replacedWith(item, deliverable));
  }
  return undefined;
}

const time = (instant: string): number => Date.parse(instant);
const day = (instant: string): string => instant.slice(0, 10);

/**
 * Kinds of data that are replaced together with an Item. Series belong to the whole run, so they are listed for each
 * Item.
 */
const replacedWith = ({ id }: NewItem, { tables = [], series = [] }: Deliverable): readonly string[] => [
  ...(tables.some(({ itemId }) => itemId === id) ? ['tables'] : []),
  ...(series.length > 0 ? ['series'] : []),
];

function noticeFor(earlier: Interval, present: Interval, others: readonly string[]): string {
  const versions = `${day(earlier.start)} to ${day(earlier.end)} by a version of ${day(present.start)} to ${day(present.end)}`;
  const data = ['the layer', ...others.map((each) => `its ${each}`)].join(' and ');
  return `replaces a version of ${versions}. The other years of ${data} are no longer shown. Request all years together to publish all of them.`;
}

function withNotice(item: NewItem, notice: string): NewItem {
  const properties = propertiesOfItem(item.item);
  const { description } = properties;
  const paragraph = [...(typeof description === 'string' ? [description] : []), `${PREFIX}${notice}`].join('\n\n');
  return { ...item, item: { ...item.item, properties: { ...properties, description: paragraph } } };
}
