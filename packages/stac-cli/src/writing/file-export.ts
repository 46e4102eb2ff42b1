import type { Rebasing } from '../tree/rebase.ts';
import type { WalkLimits } from '../tree/walk.ts';
import { atomically, type Making, type Replacing } from './atomic.ts';

/** How Items are exported to one file. */
export type FileOptions = WalkLimits & Partial<Replacing> & Pick<Rebasing, 'onLocal'>;

/** What an export to one file wrote. */
export interface FileExport {
  readonly items: number;
}

/** Makes one file, whole or not at all; only a file gives way to it, and no folder. */
export function makeFile<T>(file: string, { replace }: Replacing, make: (path: string) => Promise<T>): Promise<T> {
  const foreignAt: Making['foreignAt'] = (path, found) =>
    Promise.resolve(found.isFile() ? undefined : `${path} is no file, which the export would be`);
  return atomically(file, { replace, foreignAt }, make);
}
