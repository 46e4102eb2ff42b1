import { createHash, randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, messageOf } from '@headwater/core';
import type { AccountService, Stores, User } from '@headwater/identity';
import { randomName } from './account-commands.ts';
import { printedCommand } from './config/printed-command.ts';
import { ConfigError, type Environment } from './config/read-config.ts';

/** Default password of the installer. It is public, so a start that sets this password logs a warning. */
const INSTALLER_PASSWORD = 'test_change_me';

/**
 * Name under which the database stores two hashes. The first shows if the user changed the password, the second if
 * SUPERUSER_PASSWORD changed.
 */
const SET_BY_CONTAINER = 'superuser_password_set_by_container';

/** The superuser. `password` is present only if this start has set a password. */
export interface Superuser {
  readonly user: User;
  readonly password: string | undefined;
  /** True if SUPERUSER_PASSWORD is set. This password is not printed, because logs would keep the password. */
  readonly isConfigured: boolean;
  readonly warning: string | undefined;
}

/** Parameters of `ensureSuperuser`. */
export interface SuperuserParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
  readonly password: string | undefined;
  readonly containerMarker: string | undefined;
  /** Environment variables that printed commands must repeat. */
  readonly shell?: Environment;
}

async function isFirstContainerStart(marker: string | undefined): Promise<boolean> {
  if (marker === undefined) return false;
  return access(marker).then(
    () => false,
    () => true,
  );
}

async function markContainer(marker: string): Promise<void> {
  try {
    await mkdir(dirname(marker), { recursive: true });
    await writeFile(marker, 'started\n');
  } catch (error) {
    throw unwritable(marker, error);
  }
}

const unwritable = (marker: string, error: unknown): ConfigError =>
  new ConfigError(
    `HEADWATER_CONTAINER_MARKER: ${marker} cannot be written (${messageOf(error)}); set it to a path that this user may write.`,
  );

/** Throws `ConfigError` if a first start could not write the container's marker file. */
export async function checkMarker(marker: string): Promise<void> {
  try {
    await access(marker).catch(() => access(dirname(marker), constants.W_OK | constants.X_OK));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw unwritable(marker, error);
  }
}

const containerWarning = (password: string | undefined, change: string): string =>
  password === undefined
    ? `first start of this container: the superuser's password is the installer default. Until this password is changed (${change}, or POST /api/v1/users/change_password/), all other requests of the superuser are refused. Set SUPERUSER_PASSWORD to avoid this.`
    : `first start of this container: the superuser's password was reset to SUPERUSER_PASSWORD.`;

const SUPERUSER_NAME = /^test_user_\d{4}$/;

/**
 * Creates `test_user_NNNN` if there is no superuser. A container's first start resets this user's password, unless the
 * user has changed the password.
 */
export async function ensureSuperuser(parts: SuperuserParts): Promise<Superuser> {
  const { password: configured, containerMarker } = parts;
  const firstStart = await isFirstContainerStart(containerMarker);
  const superuser = await makeOrReset(parts, {
    password: configured ?? (firstStart ? INSTALLER_PASSWORD : randomBytes(12).toString('base64url')),
    isConfigured: configured !== undefined,
    reset: firstStart,
    mustChange: configured === undefined && firstStart,
    warningOf: (username) =>
      firstStart
        ? containerWarning(configured, printedCommand(parts.shell ?? {}, `change-password --username ${username}`))
        : undefined,
  });
  // Written last: after an earlier failure, the next start is again a first start.
  if (firstStart && containerMarker !== undefined) await markContainer(containerMarker);
  return superuser;
}

interface PasswordSetting {
  readonly password: string;
  readonly isConfigured: boolean;
  readonly reset: boolean;
  readonly mustChange: boolean;
  readonly warningOf: (username: string) => string | undefined;
}

async function makeOrReset(parts: SuperuserParts, setting: PasswordSetting): Promise<Superuser> {
  const { accounts, stores } = parts;
  const { password, isConfigured, reset, mustChange, warningOf } = setting;
  const known = await stores.users.firstSuperuser();
  if (known === undefined) {
    const username = randomName();
    const user = await accounts.createSuperuser({ username, password, mustChangePassword: mustChange });
    if (reset) await remember(stores, user, password);
    return { user, password, isConfigured, warning: warningOf(username) };
  }
  if (!reset || !SUPERUSER_NAME.test(known.username) || (await keepsPassword(stores, known, password)))
    return { user: known, password: undefined, isConfigured, warning: undefined };
  // API keys stay valid, so that programs continue to work.
  await accounts.resetPassword(known.id, password, { mustChange, keepsKeys: true });
  await remember(stores, await stores.users.byId(known.id), password);
  return { user: known, password, isConfigured, warning: warningOf(known.username) };
}

/**
 * True if the user changed the password, or if `password` is already set. A missing marker file alone does not show a
 * first start, because temporary file systems lose the file.
 */
async function keepsPassword({ installation }: Stores, user: User, password: string): Promise<boolean> {
  if (user.mustChangePassword) return false;
  const [owned, setting] = ((await installation.read(SET_BY_CONTAINER)) ?? '').split(' ');
  if (setting === undefined) return user.sessionVersion > 0;
  return owned !== hashOfStored(user) || setting === (await hashOfSetting(user, password));
}

async function remember({ installation }: Stores, user: User | undefined, password: string): Promise<void> {
  if (user === undefined) return;
  await installation.write(SET_BY_CONTAINER, `${hashOfStored(user)} ${await hashOfSetting(user, password)}`);
}

const hashOfStored = ({ id, passwordHash }: User): string =>
  createHash('sha256').update(`${id} ${passwordHash}`).digest('base64url');

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
/** Same cost as for the stored password hash, because both hashes allow guesses of the password. */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };

const hashOfSetting = async ({ passwordHash }: User, password: string): Promise<string> =>
  (await derive(password, passwordHash, 32, COST)).toString('base64url');
