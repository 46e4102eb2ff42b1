import type { Config } from '../config/read-config.ts';
import { Network } from '@headwater/net';
import type { PostgresStores } from '@headwater/postgres';
import { eoCredentials } from '../eo-credentials.ts';
import { presentKey } from '../secrets.ts';

/**
 * Returns a sentence for each Earth-observation account whose credentials these settings cannot use. Leaves out
 * disabled accounts without an uploaded key. Sends no request.
 */
export async function accountProblems(
  config: Pick<Config, 'credentials' | 'jwtSecret' | 'dataDir' | 'database' | 'allowedOrigins'>,
  { eoAccounts, installation }: Pick<PostgresStores, 'eoAccounts' | 'installation'>,
): Promise<readonly string[]> {
  const accounts = (await eoAccounts.list()).filter(
    ({ platform, isActive, hasKey }) => platform !== 'local' && (isActive || hasKey),
  );
  if (accounts.length === 0) return [];
  const { jwtSecret: configured, dataDir, database, credentials: mounted, allowedOrigins } = config;
  const shared = database === undefined ? {} : { installation };
  const secret = await presentKey({ configured, dataDir, ...shared });
  const network = new Network({ settings: { allowedOrigins } });
  const { problemOf } = eoCredentials({ mounted, secret, eoAccounts, network });
  const problems: string[] = [];
  for (const account of accounts) {
    const problem = await problemOf(account);
    if (problem !== undefined) problems.push(`Earth-observation account ${account.id} (${account.name}) ${problem}`);
  }
  return problems;
}
