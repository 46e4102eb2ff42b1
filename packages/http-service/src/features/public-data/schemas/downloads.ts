import { z } from 'zod';

/** What is told of the workbook of a tehsil. */
export const WorkbookRefresh = z
  .object({
    status: z.literal('success'),
    sheets: z.array(z.string()).describe('Sheets that it has now, by name.'),
  })
  .meta({ id: 'WorkbookRefresh' });
