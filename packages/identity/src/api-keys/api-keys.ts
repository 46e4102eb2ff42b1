import { createSecurityLog } from '../accounts/security-log.ts';
import type { ApiKeyCheck, UserPrincipal } from '../auth/types.ts';
import { DomainError, invalidField, type Clock, type Logger, systemTimers, type Timers, SILENT } from '@headwater/core';
import { sha256 } from '@headwater/core/values';
import type { ApiKey, ApiKeyDay, KnownApiKey } from '../ports/api-keys.ts';
import type { Stores } from '../ports/stores.ts';
import { newKeyText, prefixOf, prefixOfMasked } from './key-text.ts';
import { createKeyUses } from './key-uses.ts';

/** What API keys stand on. */
export interface ApiKeyDeps {
  readonly stores: Pick<Stores, 'apiKeys'>;
  readonly clock: Clock;
  /** Told of keys that are made and ended (`securityEvent`), never of their texts; default: nobody is. */
  readonly logger?: Logger;
  /** Default: those of the platform. */
  readonly timers?: Timers;
  /** SHA-256 of a text in 64 hex digits, asked for by each request with a key; default: that of Web Crypto, which crosses to another thread. */
  readonly digest?: Digest;
}

type Digest = (text: string) => string | Promise<string>;

/** A key that was just made. */
export interface CreatedApiKey {
  /** What its owner must keep: nobody can tell it again. */
  readonly text: string;
  readonly key: ApiKey;
}

/** A key as its owner sees it. */
export interface ListedApiKey extends ApiKey {
  /** Oldest first, days without a use left out; some seconds late. */
  readonly days: readonly Pick<ApiKeyDay, 'day' | 'uses'>[];
}

/** What a new key is to be. */
export interface NewApiKeyRequest {
  /** Default: `API Key` and the time. */
  readonly name?: string;
  /** Days from now, 1 to 36,500; default 3,000. */
  readonly expiryDays?: number;
}

/** Which key: its text, whole or masked as in a list, and whose it is. */
export interface ApiKeyNamed {
  readonly userId: number;
  readonly text: string;
}

/** Keys by which programs call in a user's name. */
export interface ApiKeys extends ApiKeyCheck {
  /**
   * Makes a key for the caller. Throws `validation` (fields `name`, `expiryDays`), `conflict` where he has the most that he may, and
   * `token_not_valid` where his sessions have ended meanwhile.
   */
  generate(principal: UserPrincipal, wish?: NewApiKeyRequest): Promise<CreatedApiKey>;
  /** The caller's active keys, newest first, each with its uses by day in the last 30 days. */
  list(principal: UserPrincipal): Promise<readonly ListedApiKey[]>;
  /** Ends a key of the caller's own, or anybody's for a superuser. Throws `not_found` where he has no such key. */
  deactivate(principal: UserPrincipal, named: ApiKeyNamed): Promise<ApiKey>;
  /** How often the key of this text was used today (UTC), by all processes; what others did some seconds ago is not in it yet. */
  usesToday(text: string): Promise<number>;
  /** Writes when keys were last used. */
  close(): Promise<void>;
}

/** Days that a key lives where nothing else is asked for. */
export const DEFAULT_EXPIRY_DAYS = 3000;
/** Longest life of a key: a hundred years. */
export const MAX_EXPIRY_DAYS = 36_500;
/** Longest name of a key, characters. */
export const MAX_KEY_NAME = 150;
/** Active keys of an account: more than anybody can keep apart, and few enough to list. */
export const MOST_KEYS = 100;
const DAY_MS = 86_400_000;
/** Days whose uses are listed, today's included. */
const LISTED_DAYS = 30;

/** Compared with where there is no such key, so that this takes as long. */
const DECOY = '0'.repeat(64);

/** Builds the keys' service. Every check asks the store, so that a key that was ended anywhere is refused everywhere at once. */
export function createApiKeys(deps: ApiKeyDeps): ApiKeys {
  const { stores, clock, logger = SILENT, timers = systemTimers, digest = sha256 } = deps;
  const store = stores.apiKeys;
  const uses = createKeyUses({ store, clock, timers, logger });
  const report = createSecurityLog(logger);
  return {
    authenticate: async (text, look) => {
      const prefix = prefixOf(text);
      if (prefix === undefined) throw invalidKey();
      const asked = store.find(prefix);
      const hash = digest(text);
      const known = await asked;
      // A digest that is there already is not waited for: each turn of it costs a request as much as comparing.
      const matches = isSame(typeof hash === 'string' ? hash : await hash, known?.hash ?? DECOY);
      if (!matches || known === undefined || !isUsable(known, clock.now())) throw invalidKey();
      if (look?.isRepeated !== true) uses.note(prefix);
      return { kind: 'apiKey', user: known.user, prefix };
    },
    generate: async ({ user }, wish = {}) => {
      const { name, expiresAt } = wished(wish, clock.now());
      const text = newKeyText();
      const prefix = prefixOf(text) ?? '';
      const wanted = {
        prefix,
        hash: await digest(text),
        userId: user.id,
        sessionVersion: user.sessionVersion,
        name,
        expiresAt,
      };
      const key = await store.create(wanted, { most: MOST_KEYS });
      report('api_key_made', { userId: user.id, username: user.username, keyPrefix: prefix });
      return { text, key };
    },
    list: async ({ user }) => {
      const since = new Date(clock.now().getTime() - (LISTED_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
      const [keys, days] = await Promise.all([store.activeOf(user.id), store.daysOf(user.id, since)]);
      const byPrefix = Map.groupBy(days, ({ prefix }) => prefix);
      return keys.map((key) => {
        const own = byPrefix.get(key.prefix) ?? [];
        return { ...key, days: own.map(({ day, uses: count }) => ({ day, uses: count })) };
      });
    },
    deactivate: async ({ user }, { userId, text }) => {
      const known = await named({ store, digest }, text);
      const isOwn = known?.key.userId === userId && (userId === user.id || user.isSuperuser);
      const key = isOwn ? await store.deactivate(known.key.prefix) : undefined;
      if (key === undefined) throw absentKey();
      report('api_key_ended', { userId: user.id, username: user.username, keyPrefix: key.prefix });
      return key;
    },
    usesToday: async (text) => uses.today(prefixOf(text) ?? ''),
    close: () => uses.close(),
  };
}

function wished(
  { name, expiryDays = DEFAULT_EXPIRY_DAYS }: NewApiKeyRequest,
  now: Date,
): Pick<ApiKey, 'name' | 'expiresAt'> {
  if (!Number.isInteger(expiryDays) || expiryDays < 1 || expiryDays > MAX_EXPIRY_DAYS) {
    throw invalidField('expiryDays', `is ${expiryDays}; give a whole number of days from 1 to ${MAX_EXPIRY_DAYS}.`);
  }
  if (name !== undefined && (name === '' || name.length > MAX_KEY_NAME)) {
    throw invalidField(
      'name',
      `has ${name.length} characters; give 1 to ${MAX_KEY_NAME}, or none for one by the time.`,
    );
  }
  const minute = now.toISOString().slice(0, 16).replace('T', ' ');
  return { name: name ?? `API Key ${minute}`, expiresAt: new Date(now.getTime() + expiryDays * DAY_MS).toISOString() };
}

/** A user with the installer's password may do nothing but change it, his keys neither. */
function isUsable({ key, user }: KnownApiKey, now: Date): boolean {
  const isCurrent = key.isActive && Date.parse(key.expiresAt) > now.getTime();
  return isCurrent && user.isActive && !user.mustChangePassword;
}

interface Named {
  readonly store: Stores['apiKeys'];
  readonly digest: Digest;
}

/** The key of a text: of a whole one only where its secret is right too. */
async function named({ store, digest }: Named, text: string): Promise<KnownApiKey | undefined> {
  const masked = prefixOfMasked(text);
  if (masked !== undefined) return store.find(masked);
  const prefix = prefixOf(text);
  if (prefix === undefined) return undefined;
  const [known, hash] = await Promise.all([store.find(prefix), digest(text)]);
  return isSame(hash, known?.hash ?? DECOY) ? known : undefined;
}

/** Compares texts of one length in a time that does not tell where they differ. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function invalidKey(): DomainError {
  const message = 'The API key is not one of this service, has ended, or is of an account that may not use it.';
  return new DomainError('token_not_valid', message, { details: { token: 'apiKey', problem: 'invalid' } });
}

function absentKey(): DomainError {
  return new DomainError('not_found', 'You have no such API key.', { details: { kind: 'apiKey' } });
}
