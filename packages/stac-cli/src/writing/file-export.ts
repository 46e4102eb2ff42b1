import type { WalkLimits } from '../tree/walk.ts';
import type { Replacing } from './atomic.ts';

/** How Items are exported to one file. */
export type FileOptions = WalkLimits & Partial<Replacing>;

/** What an export to one file wrote. */
export interface FileExport {
  readonly items: number;
}
