import { propertiesOfItem } from '../pipelines/item-properties.ts';
import type { NewItem } from '../ports/catalog.ts';
import type { PublishedReads } from '../ports/published.ts';
import type { Deliverable } from '../ports/runs.ts';

/** What a paragraph of a description begins with that tells of replaced years. */
const TELLS = '**Years**: this ';

/** What an Item says of the years that it replaced: `replaces a version of …`; undefined where it replaced none. */
export function replacedYearsOf(item: unknown): string | undefined {
  const { description } = propertiesOfItem(item);
  if (typeof description !== 'string') return undefined;
  const told = description.split('\n\n').findLast((paragraph) => paragraph.startsWith(TELLS));
  return told?.slice(TELLS.length);
}

/**
 * The deliverable whose Items say where they replace a version of more time: a layer has the years of the newest request, and so have
 * its tables and series (why: decision 084). `log` is told the same.
 */
export async function tellingReplacedYears(
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

/** The interval of an Item; undefined for one of an instant. */
function intervalOf(item: unknown): Interval | undefined {
  const { start_datetime: start, end_datetime: end } = propertiesOfItem(item);
  return typeof start === 'string' && typeof end === 'string' && start !== end ? { start, end } : undefined;
}

async function noticeOf(
  given: NewItem,
  deliverable: Deliverable,
  published: Pick<PublishedReads, 'item'>,
): Promise<string | undefined> {
  const present = intervalOf(given.item);
  if (present === undefined) return undefined;
  for (const { collectionPath, id } of [given, ...(given.formerly ?? [])]) {
    const earlier = intervalOf((await published.item(collectionPath, id))?.item);
    if (earlier === undefined) continue;
    const isWhole = time(present.start) <= time(earlier.start) && time(present.end) >= time(earlier.end);
    if (!isWhole) return noticeFor(earlier, present, goingWith(given, deliverable));
  }
  return undefined;
}

const time = (instant: string): number => Date.parse(instant);
const day = (instant: string): string => instant.slice(0, 10);

/** What of a layer is replaced beside it: tables that name its Item, and series, which name none and are of the whole run. */
const goingWith = ({ id }: NewItem, { tables = [], series = [] }: Deliverable): readonly string[] => [
  ...(tables.some(({ itemId }) => itemId === id) ? ['tables'] : []),
  ...(series.length > 0 ? ['series'] : []),
];

function noticeFor(earlier: Interval, present: Interval, others: readonly string[]): string {
  const versions = `${day(earlier.start)} to ${day(earlier.end)} by one of ${day(present.start)} to ${day(present.end)}`;
  const lost = others.length === 0 ? ': what that' : `, and ${others.join(' and ')} of the layer with it: what they`;
  return `replaces a version of ${versions}${lost} held of other years is not shown any more. Ask for all years in one request to have them together.`;
}

function withNotice(given: NewItem, notice: string): NewItem {
  const properties = propertiesOfItem(given.item);
  const { description } = properties;
  const told = [...(typeof description === 'string' ? [description] : []), `${TELLS}${notice}`].join('\n\n');
  return { ...given, item: { ...given.item, properties: { ...properties, description: told } } };
}
