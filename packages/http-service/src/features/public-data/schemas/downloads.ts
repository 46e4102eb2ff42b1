import { z } from 'zod';

/** Sheets of a tehsil's workbook. */
export const WorkbookRefresh = z
  .object({
    status: z.literal('success'),
    sheets: z.array(z.string()).describe('Current sheets, ordered by name.'),
  })
  .meta({ id: 'WorkbookRefresh' });
