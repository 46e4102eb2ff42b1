import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DomainError } from '@headwater/core';
import { z } from 'zod';

/** File beside the GeoTIFFs of a folder that says what they are. */
export const DEM_NOTICE = 'dem.json';

/** What a folder of elevations says of itself. */
const NOTICE = z.object({
  title: z.string().trim().min(1),
  license: z.string().trim().min(1),
  attribution: z.string().trim().min(1),
  synthetic: z.boolean().default(false),
});

/** What a folder of elevations says of itself, or what is said of it. */
export type DemNotice = Readonly<z.infer<typeof NOTICE>>;

/** The notice of a folder, if it has one. Throws `input_data` naming the file and the member that is wrong. */
export async function readNotice(folder: string): Promise<DemNotice | undefined> {
  const path = join(folder, DEM_NOTICE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return NOTICE.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : 'it is no JSON';
    const remedy = 'give title, license and attribution as texts';
    throw new DomainError('input_data', `${basename(folder)}/${DEM_NOTICE}: ${why}; ${remedy}.`, { cause: error });
  }
}

/** What is said of a folder whose source is not named. */
export const unnamed = (folder: string): DemNotice => ({
  title: `Elevation data of the folder ${basename(folder)}`,
  license: 'other',
  attribution: `Elevation data given by the operator of this service, who named no source (${DEM_NOTICE})`,
  synthetic: false,
});
