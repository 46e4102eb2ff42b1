import { z } from 'zod';
import { COMPUTING_FIELDS, computingConfig, type ComputingConfig } from './computing.ts';
import { ConfigError, type Refuse } from './config-error.ts';
import { ORCHESTRATION_FIELDS, orchestrationConfig, type OrchestrationConfig } from './orchestration.ts';
import { SERVICE_FIELDS, serviceConfig, type ServiceConfig } from './service.ts';
import { STORAGE_FIELDS, storageConfig, type StorageConfig } from './storage.ts';
import { settingWarnings } from './warnings.ts';

export { ConfigError };

/** Variables as set; an empty text counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface SampleOptions {
  /** Side of the sample in km; default: the side of the sample on disk, otherwise the smallest possible. */
  readonly sampleSizeKm: number | undefined;
  /** True: every layer of the sample is computed, not only land cover. */
  readonly allLayers: boolean;
}

/** All settings of the server, from its environment and the command line. */
export interface Config extends ServiceConfig, StorageConfig, ComputingConfig, OrchestrationConfig, SampleOptions {
  /** Variables of the process's shell, without the variables of `.env`. Printed commands repeat them. */
  readonly shell: Environment;
  /** Warnings about settings that are unused, or probably not used as intended. */
  readonly warnings: readonly string[];
}

/** Settings of the command line that take precedence over the environment. */
export type ConfigOverrides = Partial<SampleOptions & Pick<Config, 'sample'>>;

const FIELDS = { ...SERVICE_FIELDS, ...STORAGE_FIELDS, ...COMPUTING_FIELDS, ...ORCHESTRATION_FIELDS };
const schema = z.object(FIELDS);

/** Variables that only other programs read. */
const OF_OTHERS = ['BACKEND_CODE_DIR', 'HEADWATER_PASSWORD'];

/** Name of every variable; `.env.example` is checked against it. */
export const VARIABLES: readonly string[] = [...new Set([...Object.keys(FIELDS), ...OF_OTHERS])];

/** Reads and validates the environment. Throws `ConfigError` with the names of all wrong variables. */
export function readConfig(env: Environment, overrides: ConfigOverrides = {}, shell: Environment = env): Config {
  const { config, faults, hasWrongValue } = readSettings(env, overrides, shell);
  if (faults.length > 0) throw new ConfigError(messageOf(faults, hasWrongValue));
  return config;
}

/** Settings with their faults, for a check that also reports other problems. */
export interface SettingsRead {
  /** The settings. A wrong variable has its default value here. */
  readonly config: Config;
  /** A line for each fault; empty if a start accepts the settings. */
  readonly faults: readonly string[];
  /** True if a variable has an invalid value; false if all faults are in combinations of variables. */
  readonly hasWrongValue: boolean;
}

/** Reads the environment like `readConfig`, but returns the faults. */
export function readSettings(
  env: Environment,
  { sampleSizeKm, allLayers = false, sample }: ConfigOverrides = {},
  shell: Environment = env,
): SettingsRead {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { values, wrong } = parse(set);
  const faults = [...wrong.values()];
  // A wrong variable has its default value here, so a fault about a combination with it would be misleading.
  const refuse: Refuse = (fault) => {
    if (!(fault.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []).some((name) => wrong.has(name))) faults.push(fault);
  };
  const computing = computingConfig(values, refuse);
  const config = {
    ...serviceConfig(values, refuse),
    ...storageConfig(values, refuse),
    ...computing,
    ...orchestrationConfig(values, refuse),
    sample: sample ?? computing.sample,
    sampleSizeKm,
    allLayers,
    shell,
  };
  return {
    config: { ...config, warnings: settingWarnings(set, config) },
    faults,
    hasWrongValue: wrong.size > 0,
  };
}

/**
 * A line for each fault, and an instruction where to correct the variables. A single fault in a combination of
 * variables gets no instruction, because it contains the remedy.
 */
function messageOf(faults: readonly string[], hasWrongValue: boolean): string {
  const [only = ''] = faults;
  if (faults.length === 1 && !hasWrongValue) return only;
  const where = `Correct ${faults.length === 1 ? 'it' : 'them'} in the environment or in .env; .env.example explains each variable.`;
  return faults.length === 1 ? `${only} ${where}` : [...faults, where].join('\n');
}

/**
 * Parses the variables. Returns the values, in which a wrong variable has its default value, and a fault for each wrong
 * variable.
 */
function parse(variables: Environment): {
  readonly values: z.output<typeof schema>;
  readonly wrong: ReadonlyMap<string, string>;
} {
  const result = schema.safeParse(variables);
  if (result.success) return { values: result.data, wrong: new Map() };
  const problems = Map.groupBy(result.error.issues, ({ path: [name] }) => String(name));
  const wrong = new Map<string, string>();
  for (const [name, issues] of problems)
    wrong.set(name, `${name}: ${[...new Set(issues.map(({ message }) => message))].join('; ')}.`);
  const others = Object.entries(variables).filter(([name]) => !wrong.has(name));
  return { values: schema.parse(Object.fromEntries(others)), wrong };
}
