import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';
import { databaseFolder } from '../database.ts';
import { folderIdFile } from '../folder-id.ts';
import { assetsFolder } from '../several-servers.ts';
import type { Publishing } from './open-runner.ts';

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
