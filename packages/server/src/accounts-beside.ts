import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  type AccountService,
  createAccountService,
  createTokens,
  type Stores,
  TOKEN_DEFAULTS,
} from '@headwater/identity';
import type { Logger } from '@headwater/core';
import { createScryptHasher } from '@headwater/http-service';
import type { Config } from './config/read-config.ts';
import { openStoresBeside } from './database.ts';
import { createLogger } from './logger.ts';

/** Accounts and their stores, for a command. */
export interface AccountParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
}

/** Does a command's work on the accounts, beside a running service or without one. */
export async function withAccounts<T>(config: Config, work: (parts: AccountParts) => Promise<T>): Promise<T> {
  const stores = await openStoresBeside(config);
  try {
    const clock = { now: () => new Date() };
    // Signing in is no command's business: the key only has to be a valid one.
    const tokens = createTokens({ ...TOKEN_DEFAULTS, secret: randomBytes(32) }, clock);
    return await work({
      stores,
      accounts: createAccountService({ stores, tokens, hasher: createScryptHasher(), clock, ...logOf(config) }),
    });
  } finally {
    await stores.close();
  }
}

/** Security events go into the service's log file; a command prints what it did by itself, and makes no folder. */
function logOf({ logLevel, dataDir, log }: Config): { readonly logger?: Logger } {
  if (!existsSync(dataDir)) return {};
  return { logger: createLogger(logLevel, dataDir, { ...log, output: { write: () => {} } }) };
}
