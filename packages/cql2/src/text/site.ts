import type { Part } from '../build/part.ts';
import type { Budget } from '../model/budget.ts';
import type { Cursor } from './cursor.ts';

/** What the parts of the grammar are read with; `depth` counts parentheses, calls and NOT. */
export interface TextSite {
  readonly cursor: Cursor;
  readonly budget: Budget;
  readonly depth: number;
  /** Reads what stands in parentheses: the whole grammar again. */
  readonly inner: (site: TextSite) => Part;
}

/** One level deeper; refused before the stack could overflow. */
export function deeper(site: TextSite): TextSite {
  site.budget.depth(site.depth + 1, site.cursor.place);
  return { ...site, depth: site.depth + 1 };
}
