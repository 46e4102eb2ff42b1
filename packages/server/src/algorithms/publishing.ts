import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config/read-config.ts';
import { databaseFolder } from '../database.ts';
import { folderIdFile } from '../folder-id.ts';
import { assetsFolder } from '../several-servers.ts';
import type { Publishing } from './open-runner.ts';
import type { Parameters } from './run-options.ts';

/** The service that results could be posted to. */
export interface Postable {
  /** Its address; undefined = none is known. */
  readonly post: string | undefined;
  /** The command line names it, and not the environment alone. */
  readonly isNamed: boolean;
}

/** Published where a database is mounted, else posted. Throws `ConfigError` where neither can be, and where a posted result would lie among a service's files. */
export async function publishingOf({ database, dataDir }: Config, { post, isNamed }: Postable): Promise<Publishing> {
  const isMounted = database !== undefined || existsSync(databaseFolder(dataDir));
  if (isMounted && !isNamed) return 'mounted';
  if (post === undefined || post === '')
    throw new ConfigError(
      'DATA_DIR: there is no database in it and DB_HOST is not set. Mount the data folder of the service, set DB_HOST, or name the service that the result is posted to (--post or SERVICE_API_BASE).',
    );
  if (existsSync(folderIdFile(assetsFolder(dataDir))) || existsSync(databaseFolder(dataDir)))
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is the folder of a service, which publishes by itself. Leave --post out, or give another folder for the files of a posted result.`,
    );
  return 'posted';
}

/** Throws `ConfigError`, before anything is computed, for a result that could be posted and would not be complete. */
export function checkPostable({ baseUrlIsGiven }: Pick<Config, 'baseUrlIsGiven'>, parameters: Parameters): void {
  const { job_id: jobId, run_token: runToken } = parameters;
  if (typeof jobId !== 'string' || jobId === '')
    throw new ConfigError('--job_id: missing; a result that is posted belongs to a job of the service.');
  // Only runs of the service have a token: it takes no posted result for them, since layers, tables and files would be missing.
  if (typeof runToken === 'string' && runToken !== '')
    throw new ConfigError(
      `DATA_DIR: run ${jobId} is published in the database and the data folder of its service, and they are not mounted. ` +
        'Mount the data folder as DATA_DIR and set DB_HOST with its user and password; a database that is embedded in the folder needs none.',
    );
  if (!baseUrlIsGiven)
    throw new ConfigError(
      'PUBLIC_BASE_URL: is not set, and the files of a posted result lie under DATA_DIR of this process alone. ' +
        "Give the address that serves them, or mount the service's DATA_DIR and set DB_HOST, so that the result is published there.",
    );
}
