import { z } from 'zod';
import { text } from '../../../wire/text.ts';

/** Path parameter of a region. */
export const RegionParams = z.object({
  id: text(100).describe('Name of the region, such as region_0123456789abcdef.'),
});

/** A region in wire form. */
export const RegionBody = z
  .object({
    id: z.string().describe('Name of the region, as in the addresses of GET and DELETE.'),
    bbox: z.array(z.number()).describe('West, south, east, north in degrees.'),
    collection: z.string().describe('Address of the Collection of the region.'),
    published_at: z.string().nullable().describe('Publication time of the newest Item in `items`.'),
    items: z.array(z.object({ id: z.string(), title: z.string(), href: z.string() })),
  })
  .meta({ id: 'Region' });

/** A page of regions. */
export const RegionPage = z
  .object({
    kept_days: z
      .number()
      .nullable()
      .describe(
        'Number of days from the last publication of a region until its removal; null: regions are not removed.',
      ),
    next: z.string().nullable().describe('Address of the next page; null on the last page.'),
    results: z
      .array(RegionBody)
      .describe('Newest first. A region whose Items are on several pages is listed on each of them.'),
  })
  .meta({ id: 'RegionPage' });
