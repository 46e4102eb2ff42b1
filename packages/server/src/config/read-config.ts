import { z } from 'zod';
import { COMPUTING_FIELDS, computingConfig, type ComputingConfig } from './computing.ts';
import { ConfigError } from './config-error.ts';
import { ORCHESTRATION_FIELDS, orchestrationConfig, type OrchestrationConfig } from './orchestration.ts';
import { SERVICE_FIELDS, serviceConfig, type ServiceConfig } from './service.ts';
import { STORAGE_FIELDS, storageConfig, type StorageConfig } from './storage.ts';

export { ConfigError };

/** Variables as set; an empty text counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that only the command line has. */
interface SampleOptions {
  /** Side of the sample in km; undefined = that of the sample on disk, or the smallest. */
  readonly sampleSizeKm: number | undefined;
  /** True: every layer of the sample is computed, not only land cover. */
  readonly allLayers: boolean;
}

/** All settings of the server, from its environment and the command line. */
export interface Config extends ServiceConfig, StorageConfig, ComputingConfig, OrchestrationConfig, SampleOptions {
  /** Variables that the process got from its shell, without those of `.env`; commands that it prints repeat them. */
  readonly shell: Environment;
}

/** Settings of the command line that take precedence over the environment. */
export type ConfigOverrides = Partial<SampleOptions & Pick<Config, 'sample'>>;

const FIELDS = { ...SERVICE_FIELDS, ...STORAGE_FIELDS, ...COMPUTING_FIELDS, ...ORCHESTRATION_FIELDS };
const schema = z.object(FIELDS);

const MAP_SERVER = 'the map server package (a GeoServer connection or its own listener)';

/** Variables of parts that this version does not have, with the part. */
const NOT_YET: Readonly<Record<string, string>> = {
  MAPSERVER_PORT: MAP_SERVER,
  MAPSERVER_URL: MAP_SERVER,
  MAPSERVER_USERNAME: MAP_SERVER,
  MAPSERVER_PASSWORD: MAP_SERVER,
  STORAGE_BUCKET_NAME: 'publication to an object-store bucket',
};

/** Variables that only other programs read. */
const OF_OTHERS = ['BACKEND_CODE_DIR', 'PUBLIC_API_X_API_KEY', 'HEADWATER_PASSWORD'];

/** Name of every variable; `.env.example` is checked against it. */
export const VARIABLES: readonly string[] = [...Object.keys(FIELDS), ...Object.keys(NOT_YET), ...OF_OTHERS];

/** Names of the variables that are refused, because this version does not have their part. */
export const VARIABLES_NOT_YET: readonly string[] = Object.keys(NOT_YET);

/** Reads and validates the environment. Throws `ConfigError` with the variable's name. */
export function readConfig(
  env: Environment,
  { sampleSizeKm, allLayers = false, sample }: ConfigOverrides = {},
  shell: Environment = env,
): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  for (const [name, part] of Object.entries(NOT_YET))
    if (set[name] !== undefined)
      throw new ConfigError(`${name} is set, but ${part} is not in this version. Unset ${name} to start.`);
  const values = parse(set);
  const computing = computingConfig(values);
  return {
    ...serviceConfig(values),
    ...storageConfig(values),
    ...computing,
    ...orchestrationConfig(values),
    sample: sample ?? computing.sample,
    sampleSizeKm,
    allLayers,
    shell,
  };
}

function parse(variables: Environment): z.output<typeof schema> {
  const result = schema.safeParse(variables);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  throw new ConfigError(
    `${lines.join('; ')}. Correct it in the environment or in .env; .env.example explains each one.`,
  );
}
