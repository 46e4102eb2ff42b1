import { z } from 'zod';
import { COMPUTING_FIELDS, computingConfig, type ComputingConfig } from './computing.ts';
import { ConfigError } from './config-error.ts';
import { ORCHESTRATION_FIELDS, orchestrationConfig, type OrchestrationConfig } from './orchestration.ts';
import { SERVICE_FIELDS, serviceConfig, type ServiceConfig } from './service.ts';
import { STORAGE_FIELDS, storageConfig, type StorageConfig } from './storage.ts';

export { ConfigError };

/** Variables as given; an empty text counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the command line alone. */
interface SampleOptions {
  /** Side of the sample in km; undefined = that of the one which is there, or the smallest. */
  readonly sampleSizeKm: number | undefined;
  /** Every layer of the sample is computed, not its land cover alone. */
  readonly allLayers: boolean;
}

/** Everything that the server takes from its environment and the command line. */
export interface Config extends ServiceConfig, StorageConfig, ComputingConfig, OrchestrationConfig, SampleOptions {}

/** Settings of the command line that win over the environment. */
export type ConfigOverrides = Partial<SampleOptions & Pick<Config, 'sample'>>;

const FIELDS = { ...SERVICE_FIELDS, ...STORAGE_FIELDS, ...COMPUTING_FIELDS, ...ORCHESTRATION_FIELDS };
const schema = z.object(FIELDS);

const MAP_SERVER = 'the map server package (a GeoServer connection or a listener of its own)';

/** Variables of parts that are not in this version, with the part. */
const NOT_YET: Readonly<Record<string, string>> = {
  MAPSERVER_PORT: MAP_SERVER,
  MAPSERVER_URL: MAP_SERVER,
  MAPSERVER_USERNAME: MAP_SERVER,
  MAPSERVER_PASSWORD: MAP_SERVER,
  STORAGE_BUCKET_NAME: 'publication to an object-store bucket',
};

/** Variables of the interface that other programs read. */
const OF_OTHERS = ['BACKEND_CODE_DIR', 'PUBLIC_API_X_API_KEY', 'HEADWATER_PASSWORD'];

/** Name of every variable; `.env.example` is checked against it. */
export const VARIABLES: readonly string[] = [...Object.keys(FIELDS), ...Object.keys(NOT_YET), ...OF_OTHERS];

/** Names of the variables that are refused, because their part is not in this version. */
export const VARIABLES_NOT_YET: readonly string[] = Object.keys(NOT_YET);

/** Reads and checks the environment. Throws `ConfigError` naming the variable. */
export function readConfig(
  env: Environment,
  { sampleSizeKm, allLayers = false, sample }: ConfigOverrides = {},
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  for (const [name, part] of Object.entries(NOT_YET))
    if (given[name] !== undefined)
      throw new ConfigError(`${name} is set, but ${part} is not in this version. Unset ${name} to start.`);
  const values = parse(given);
  const computing = computingConfig(values);
  return {
    ...serviceConfig(values),
    ...storageConfig(values),
    ...computing,
    ...orchestrationConfig(values),
    sample: sample ?? computing.sample,
    sampleSizeKm,
    allLayers,
  };
}

function parse(given: Environment): z.output<typeof schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  throw new ConfigError(
    `${lines.join('; ')}. Correct it in the environment or in .env; .env.example explains each one.`,
  );
}
