import type { PipelinePorts, Run, StoredFile } from '@headwater/core';

/** The folder of one attempt of a run, and its files by name. */
export interface RunFiles {
  /** Absolute path of a file in the folder. */
  readonly path: (name: string) => string;
  readonly write: (name: string, body: string | Uint8Array) => Promise<StoredFile>;
  /** Size and checksum of a file that the pixel engine wrote. */
  readonly stat: (name: string) => Promise<StoredFile>;
  /** Removes a temporary file, because all files that remain in the folder are published. */
  readonly remove: (name: string) => Promise<void>;
}

/** Opens the folder of this attempt. Call it only once, because it empties the folder. */
export async function openFiles(
  { assets }: Pick<PipelinePorts, 'assets'>,
  { id, token }: Pick<Run, 'id' | 'token'>,
): Promise<RunFiles> {
  const folder = await assets.begin(id, token);
  return {
    path: (name) => `${folder}/${name}`,
    write: (name, body) => assets.write(id, token, name, body),
    stat: (name) => assets.stat(id, token, name),
    remove: (name) => assets.remove(id, token, name),
  };
}
