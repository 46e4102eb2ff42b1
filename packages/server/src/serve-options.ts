import { isDomainError } from '@headwater/core';
import { sampleSize } from '@headwater/sample-world';
import { type CommandSyntax, usageOf } from './command.ts';
import { type Config, ConfigError, type ConfigOverrides } from './config/read-config.ts';
import { readArguments } from './read-arguments.ts';

/** Syntax of `headwater serve`. */
export const SERVE: CommandSyntax = {
  name: 'serve',
  options: ['[--no-sample | --sample-size KM] [--all-layers]'],
};

/** Lines that `headwater serve --help` prints after the usage line. */
export const SERVE_DETAILS: readonly string[] = [
  '--no-sample       starts without the synthetic sample',
  '--sample-size KM  side of the sample in km',
  '--all-layers      computes every layer of the sample',
];

/** Help text for a program that has no other command than `serve`. */
export const serveHelp = (): string => `${[usageOf(SERVE), ...SERVE_DETAILS].join('\n')}\n`;

const OPTIONS = {
  'no-sample': { type: 'boolean' },
  'sample-size': { type: 'string' },
  'all-layers': { type: 'boolean' },
} as const;

/** Parses the arguments of `headwater serve`. Throws `ConfigError` with the wrong argument. */
export function readServeOptions(args: readonly string[], usage = usageOf(SERVE)): ConfigOverrides {
  const {
    'no-sample': none,
    'sample-size': size,
    'all-layers': all,
  } = readArguments({ args, options: OPTIONS }, usage).values;
  if (none === true && all === true)
    throw new ConfigError(
      '--all-layers: computes layers of the sample, which --no-sample disables; remove one of the two options.',
    );
  const layers = all === true ? { sample: true, allLayers: true } : {};
  if (none === true && size !== undefined)
    throw new ConfigError('--sample-size: has no effect with --no-sample; remove one of the two options.');
  if (size === undefined) return none === true ? { sample: false } : layers;
  const sizeKm = Number(size);
  if (size.trim() === '' || Number.isNaN(sizeKm))
    throw new ConfigError(`--sample-size: ${JSON.stringify(size)} is not a number of km; use for example 20`);
  return { sample: true, sampleSizeKm: sizeKm, ...layers };
}

/** Throws `ConfigError` if a sample of this size is not possible, or if DATA_DIR already has a sample of another size. */
export async function checkSampleSize({ dataDir, sampleSizeKm }: Config): Promise<void> {
  await sampleSize(dataDir, sampleSizeKm).catch((error: unknown) => {
    throw isDomainError(error) ? new ConfigError(`--sample-size: ${error.message}.`) : error;
  });
}
