import { parseArgs } from 'node:util';
import { isDomainError } from '@headwater/core';
import { sampleSize } from '@headwater/sample-world';
import { type Config, ConfigError, type ConfigOverrides } from './config.ts';

/** What the arguments of `headwater serve` say. Throws `ConfigError` naming the one that is wrong. */
export function readServeOptions(args: readonly string[], usage: string): ConfigOverrides {
  const { 'no-sample': none, 'sample-size': size } = parse(args, usage);
  if (none === true && size !== undefined)
    throw new ConfigError('--sample-size: there is no sample with --no-sample; leave one of them out.');
  if (size === undefined) return none === true ? { sample: false } : {};
  const sizeKm = Number(size);
  if (size.trim() === '' || Number.isNaN(sizeKm))
    throw new ConfigError(`--sample-size: ${JSON.stringify(size)} is no number of km; give for example 20`);
  return { sample: true, sampleSizeKm: sizeKm };
}

function parse(args: readonly string[], usage: string): { 'no-sample'?: boolean; 'sample-size'?: string } {
  try {
    const options = { 'no-sample': { type: 'boolean' }, 'sample-size': { type: 'string' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** Throws `ConfigError` where the sample cannot have that size, or one of another size is there. */
export async function checkSampleSize({ dataDir, sampleSizeKm }: Config): Promise<void> {
  await sampleSize(dataDir, sampleSizeKm).catch((error: unknown) => {
    throw isDomainError(error) ? new ConfigError(`--sample-size: ${error.message}.`) : error;
  });
}
