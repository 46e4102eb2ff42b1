import { createSecurityLog } from '../accounts/security-log.ts';
import type { ApiKeyCheck, UserPrincipal } from '../auth/types.ts';
import { DomainError, invalidField, type Clock, type Logger, systemTimers, type Timers, SILENT } from '@headwater/core';
import { sha256 } from '@headwater/core/values';
import type { ApiKey, ApiKeyDay, KnownApiKey } from '../ports/api-keys.ts';
import type { Stores } from '../ports/stores.ts';
import { newKeyText, prefixOf, prefixOfMasked } from './key-text.ts';
import { createKeyUses } from './key-uses.ts';

/** Dependencies of API keys. */
export interface ApiKeyDeps {
  readonly stores: Pick<Stores, 'apiKeys'>;
  readonly clock: Clock;
  /** Logs the creation and end of keys (lines with `securityEvent`), without the texts of keys. */
  readonly logger?: Logger;
  readonly timers?: Timers;
  /** SHA-256 of a text in 64 hex digits. Default: Web Crypto, in another thread. */
  readonly digest?: Digest;
}

type Digest = (text: string) => string | Promise<string>;

/** New key. */
export interface CreatedApiKey {
  /** Whole text of the key. Not stored, so it cannot be shown again. */
  readonly text: string;
  readonly key: ApiKey;
}

/** Key in its owner's list. */
export interface ListedApiKey extends ApiKey {
  /** Uses per day, oldest first; days without uses are left out. New uses appear after some seconds. */
  readonly days: readonly Pick<ApiKeyDay, 'day' | 'uses'>[];
}

/** Options of a new key. */
export interface NewApiKeyRequest {
  /** Name of the key; default: `API Key` and the time. */
  readonly name?: string;
  /** Days until the key expires, 1 to 36,500; default 3,000. */
  readonly expiryDays?: number;
}

/** Reference to a key: its owner, and its text, whole or masked. */
export interface ApiKeyNamed {
  readonly userId: number;
  readonly text: string;
}

/** API keys, with which programs call as a user. */
export interface ApiKeys extends ApiKeyCheck {
  /**
   * Creates a key. Throws `validation` (fields `name`, `expiryDays`), `conflict` at the maximum number of keys, and
   * `token_not_valid` if the caller's sessions have ended.
   */
  generate(principal: UserPrincipal, request?: NewApiKeyRequest): Promise<CreatedApiKey>;
  /** The caller's active keys (also expired ones), newest first, with the uses of the last 30 days. */
  list(principal: UserPrincipal): Promise<readonly ListedApiKey[]>;
  /** Ends a key of the caller; a superuser can end any user's key. Throws `not_found`. */
  deactivate(principal: UserPrincipal, named: ApiKeyNamed): Promise<ApiKey>;
  /** Uses of an account's keys today (UTC). Uses in other processes are counted after some seconds. */
  usesToday(userId: number): Promise<number>;
  /** Writes the pending uses of keys. */
  close(): Promise<void>;
}

/** Default lifetime of a key, days. */
export const DEFAULT_EXPIRY_DAYS = 3000;
/** Maximum of `expiryDays`: a hundred years. */
export const MAX_EXPIRY_DAYS = 36_500;
/** Maximum length of a key's name, characters. */
export const MAX_KEY_NAME = 150;
/** Maximum number of active keys of an account, so that one list can show all. */
export const MOST_KEYS = 100;
const DAY_MS = 86_400_000;
const LISTED_DAYS = 30;

/** An unknown key is compared with this hash, so that its refusal takes as long as the refusal of a known key. */
const DECOY = '0'.repeat(64);

/** Beginning of the hash of a key from another system (`isMoved`); the SHA-512 of the whole text in hex follows. */
const MOVED_HASH = 'sha512$$';

/** Creates the service of API keys. Each check reads the store, so that an ended key is refused by all processes. */
export function createApiKeys(deps: ApiKeyDeps): ApiKeys {
  const { stores, clock, logger = SILENT, timers = systemTimers, digest = sha256 } = deps;
  const store = stores.apiKeys;
  const uses = createKeyUses({ store, clock, timers, logger });
  const report = createSecurityLog(logger);
  return {
    authenticate: async (text, lookup) => {
      const prefix = prefixOf(text);
      if (prefix === undefined) throw invalidKey();
      const finding = store.find(prefix);
      const hash = digest(text);
      const known = await finding;
      // The hash is awaited only if it is a promise, because an await takes as long as the comparison of the hashes.
      const own = typeof hash === 'string' ? hash : await hash;
      const stored = known?.hash ?? DECOY;
      const matches = isMoved(stored) ? await isMovedKey(text, stored) : isSame(own, stored);
      if (!matches || known === undefined || !isUsable(known, clock.now())) throw invalidKey();
      if (lookup?.isRepeated !== true) uses.note(known.key);
      return { kind: 'apiKey', user: known.user, prefix };
    },
    generate: async ({ user }, request = {}) => {
      const { name, expiresAt } = settingsOf(request, clock.now());
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
    usesToday: (userId) => uses.today(userId),
    close: () => uses.close(),
  };
}

function settingsOf(
  { name, expiryDays = DEFAULT_EXPIRY_DAYS }: NewApiKeyRequest,
  now: Date,
): Pick<ApiKey, 'name' | 'expiresAt'> {
  if (!Number.isInteger(expiryDays) || expiryDays < 1 || expiryDays > MAX_EXPIRY_DAYS) {
    throw invalidField('expiryDays', `is ${expiryDays}; give a whole number of days from 1 to ${MAX_EXPIRY_DAYS}.`);
  }
  if (name !== undefined && (name === '' || name.length > MAX_KEY_NAME)) {
    throw invalidField(
      'name',
      `has ${name.length} characters; give 1 to ${MAX_KEY_NAME}, or leave it out for a name with the current time.`,
    );
  }
  const minute = now.toISOString().slice(0, 16).replace('T', ' ');
  return { name: name ?? `API Key ${minute}`, expiresAt: new Date(now.getTime() + expiryDays * DAY_MS).toISOString() };
}

function isUsable({ key, user }: KnownApiKey, now: Date): boolean {
  const isCurrent = key.isActive && Date.parse(key.expiresAt) > now.getTime();
  return isCurrent && user.isActive && !user.mustChangePassword;
}

interface Named {
  readonly store: Stores['apiKeys'];
  readonly digest: Digest;
}

async function named({ store, digest }: Named, text: string): Promise<KnownApiKey | undefined> {
  const masked = prefixOfMasked(text);
  if (masked !== undefined) return store.find(masked);
  const prefix = prefixOf(text);
  if (prefix === undefined) return undefined;
  const [known, hash] = await Promise.all([store.find(prefix), digest(text)]);
  const stored = known?.hash ?? DECOY;
  const matches = isMoved(stored) ? await isMovedKey(text, stored) : isSame(hash, stored);
  return matches ? known : undefined;
}

/** True for a key that was moved from a system with `djangorestframework-api-key`. */
const isMoved = (hash: string): boolean => hash.startsWith(MOVED_HASH);

async function isMovedKey(text: string, hash: string): Promise<boolean> {
  const digest = await globalThis.crypto.subtle.digest('SHA-512', new TextEncoder().encode(text));
  return isSame(`${MOVED_HASH}${Array.from(new Uint8Array(digest), hex).join('')}`, hash);
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Compares two texts. For texts of equal length, the time is constant. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function invalidKey(): DomainError {
  const message =
    'The API key is unknown, has expired or was deactivated, or belongs to an account that may not use it.';
  return new DomainError('token_not_valid', message, { details: { token: 'apiKey', problem: 'invalid' } });
}

function absentKey(): DomainError {
  return new DomainError('not_found', 'You have no such API key.', { details: { kind: 'apiKey' } });
}
