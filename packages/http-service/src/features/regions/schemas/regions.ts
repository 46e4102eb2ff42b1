import { z } from 'zod';
import { text } from '../../../wire/text.ts';

/** Path parameter of a region. */
export const RegionParams = z.object({
  id: text(100).describe('Name of the region, such as region_0123456789abcdef.'),
});

/** A region in wire form. */
export const RegionBody = z
  .object({
    id: z.string().describe('Name of the region; GET and DELETE take it.'),
    bbox: z.array(z.number()).describe('West, south, east, north in degrees.'),
    collection: z.string().describe('Address of its Collection.'),
    published_at: z.string().nullable().describe('Time of the newest of these Items.'),
    items: z.array(z.object({ id: z.string(), title: z.string(), href: z.string() })),
  })
  .meta({ id: 'Region' });

/** A page of regions. */
export const RegionPage = z
  .object({
    kept_days: z
      .number()
      .nullable()
      .describe('Days from its last publication until a region is removed; null: it is not removed.'),
    next: z.string().nullable().describe('Address of the next page.'),
    results: z.array(RegionBody).describe('Newest first; Items of one region may be on several pages.'),
  })
  .meta({ id: 'RegionPage' });
