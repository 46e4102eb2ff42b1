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

/** Help text of `headwater serve` after the usage line. */
export const SERVE_DETAILS: readonly string[] = [
  '--no-sample       starts without the synthetic sample',
  '--sample-size KM  side of the sample in km',
  '--all-layers      computes every layer of the sample',
];

/** Help text of a program whose only command is `serve`. */
export const serveHelp = (): string => `${[usageOf(SERVE), ...SERVE_DETAILS].join('\n')}\n`;

const OPTIONS = {
  'no-sample': { type: 'boolean' },
  'sample-size': { type: 'string' },
  'all-layers': { type: 'boolean' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Throws `ConfigError` for an option that npm kept, because npm passes on only options after `--`. Without this error,
 * a start could compute an unwanted sample.
 */
function refuseKeptByNpm(env: Environment): void {
  const kept = Object.keys(OPTIONS).find((name) => {
    const value = env[`npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`];
    return name.startsWith('no-') ? value === '' : value !== undefined && value !== '';
  });
  if (kept !== undefined)
    throw new ConfigError(
      `--${kept}: npm keeps options for itself unless they follow "--"; use npm start -- --${kept}`,
    );
}

/**
 * Parses the arguments of `headwater serve`. Throws `ConfigError` for a wrong option, and for an option that npm did
 * not pass on.
 */
export function readServeOptions(args: readonly string[], env: Environment = {}): ConfigOverrides {
  refuseKeptByNpm(env);
  const {
    'no-sample': none,
    'sample-size': size,
    'all-layers': all,
  } = readArguments({ args, options: OPTIONS }, usageOf(SERVE)).values;
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

/** Throws `ConfigError` for an impossible size, or if DATA_DIR has a sample of another size. */
export async function checkSampleSize({ dataDir, sampleSizeKm }: Config): Promise<void> {
  await sampleSize(dataDir, sampleSizeKm).catch((error: unknown) => {
    throw isDomainError(error) ? new ConfigError(`--sample-size: ${error.message}.`) : error;
  });
}
