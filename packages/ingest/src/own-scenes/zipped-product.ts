import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@headwater/core';
import { openZip, type ZipFault, type ZipParts } from '../import/shared/zip-parts.ts';

/** Limits of a zip file. A product has some hundred files and 1 GB. */
const LIMITS = { entries: 20_000, bytes: 16 * 1024 ** 3 };

const REFUSALS: Readonly<Record<ZipFault, (about: string) => string>> = {
  none: (reason) => `this is not a readable zip file (${reason}); download it again`,
  broken: (reason) => `the zip file is broken (${reason}); download it again`,
  entries: (most) => `the zip file has more than ${most} files; unpack it and name its folder`,
  twice: (name) => `the zip file has ${JSON.stringify(name)} twice; download it again`,
  missing: (name) => `the zip file has no ${JSON.stringify(name)}; download it again`,
  encrypted: () => 'the zip file is encrypted; unpack it and name its folder',
  bytes: (most) => `the zip file unpacks to more than ${most}; unpack it and name its folder`,
};

/** Opens the zip file of a product. Throws `input_data` if it is broken or too large. */
export const openProductZip = (path: string): Promise<ZipParts> =>
  openZip(path, {
    ...LIMITS,
    refusal: (fault, about) => new DomainError('input_data', REFUSALS[fault](about)),
  });

/** Unpacks one member to `target`. Throws `input_data` for a broken zip file. */
export async function unpackMember(path: string, member: string, target: string): Promise<void> {
  const zip = await openProductZip(path);
  try {
    await pipeline(Readable.from(zip.read(member)), createWriteStream(target));
  } finally {
    zip.close();
  }
}
