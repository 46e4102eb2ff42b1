import type { StoredFile } from '../ports/assets.ts';
import type { Run } from '../ports/runs.ts';
import type { PipelinePorts } from './pipeline.ts';

/** The folder of one attempt at a run, and its files by name. */
export interface RunFiles {
  /** Absolute path of a file in the folder. */
  readonly path: (name: string) => string;
  readonly write: (name: string, body: string) => Promise<StoredFile>;
  /** Size and checksum of a file that the pixel engine wrote. */
  readonly stat: (name: string) => Promise<StoredFile>;
}

/** Opens the folder of this attempt. */
export async function openFiles({ assets }: PipelinePorts, { id, token }: Run): Promise<RunFiles> {
  const folder = await assets.begin(id, token);
  return {
    path: (name) => `${folder}/${name}`,
    write: (name, body) => assets.write(id, token, name, body),
    stat: (name) => assets.stat(id, token, name),
  };
}
