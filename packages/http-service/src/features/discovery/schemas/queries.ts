import { z } from 'zod';
import { RunId } from '../../runs/schemas/runs.ts';
import { integerText, lang } from '../../../wire/text.ts';
import type { MapBox } from '../../../pages/places-map.ts';

const page = integerText(1, 1_000_000).optional();
/** Number of a search's page. It is limited, because each page reads and sorts all matching units. */
const searchPage = integerText(1, 1000).optional();

/** Query of the first page of the service. */
export const FirstPageQuery = z.object({
  before: RunId.optional().describe('Shows publications older than this run.'),
  page: page.describe('Page number that the title shows; `before` selects the publications.'),
  lang,
});

const NUMBER = /^-?\d{1,3}(\.\d{1,10})?$/;

const box = z
  .string()
  .refine((text) => boxIn(text) !== undefined, 'Must be west,south,east,north in degrees, such as 84,22,86,24.')
  .transform((text) => boxIn(text))
  .optional();

/** Query of the outlines of places. */
export const OutlinesQuery = z.object({
  box: box.describe('Lists the tehsils whose layers overlap this box: west,south,east,north in degrees; default: all.'),
});

/** Query of the page of places. */
export const PlacesQuery = z.object({
  q: z
    .string()
    .max(100, 'At most 100 characters.')
    .transform((text) => text.trim())
    .optional()
    .describe('Part of the name of a state, district or tehsil.'),
  box: box.describe('Lists the tehsils whose middle is in this box: west,south,east,north in degrees.'),
  page: searchPage.describe('Page of the list, from 1.'),
  lang,
});

function boxIn(text: string): MapBox | undefined {
  const parts = text.split(',');
  if (parts.length !== 4 || !parts.every((part) => NUMBER.test(part))) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number);
  return west <= east && south <= north ? [west, south, east, north] : undefined;
}
