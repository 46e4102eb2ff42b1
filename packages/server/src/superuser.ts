import { randomBytes, randomInt } from 'node:crypto';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '@headwater/core';
import type { AccountService, Stores, User } from '@headwater/identity';
import { ConfigError } from './config/read-config.ts';

/** What a container's first start sets when SUPERUSER_PASSWORD is not set. Known to everybody, hence the warning. */
const INSTALLER_PASSWORD = 'test_change_me';

/** The superuser of this installation; `password` only where this start has set it. */
export interface Superuser {
  readonly user: User;
  readonly password: string | undefined;
  /** Where the password came from, in words. */
  readonly passwordOrigin: string;
  readonly warning: string | undefined;
}

/** What `ensureSuperuser` works on. */
export interface SuperuserParts {
  readonly accounts: AccountService;
  readonly stores: Stores;
  readonly password: string | undefined;
  readonly containerMarker: string | undefined;
  /** Other servers may use the same database: what an owner chose is then never reset to the installer's default. Default: false. */
  readonly isShared?: boolean;
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
    const reason = messageOf(error);
    throw new ConfigError(`HEADWATER_CONTAINER_MARKER: ${marker} cannot be written: ${reason}`);
  }
}

const containerWarning = (given: string | undefined): string =>
  given === undefined
    ? `first start of this container: the superuser's password is the installer default. Until it is changed (npx headwater change-password, or POST /api/v1/users/change_password/) nothing else is allowed; SUPERUSER_PASSWORD avoids this.`
    : `first start of this container: the superuser's password was reset to SUPERUSER_PASSWORD.`;

const SUPERUSER_NAME = /^test_user_\d{4}$/;

/**
 * Makes `test_user_NNNN` where no superuser is there. A container's first start resets that one's password; a superuser of
 * another name was made by the operator and keeps his own, and so does one who has chosen a password on a shared database. Throws `ConfigError` when the marker cannot be written.
 */
export async function ensureSuperuser(parts: SuperuserParts): Promise<Superuser> {
  const { password: given, containerMarker } = parts;
  const firstStart = await isFirstContainerStart(containerMarker);
  const superuser = await makeOrReset(parts, {
    password: given ?? (firstStart ? INSTALLER_PASSWORD : randomBytes(12).toString('base64url')),
    passwordOrigin: given === undefined ? 'printed this once' : 'as SUPERUSER_PASSWORD says',
    reset: firstStart,
    mustChange: given === undefined && firstStart,
    warning: firstStart ? containerWarning(given) : undefined,
  });
  // Written last: a start that dies before it tries again.
  if (firstStart && containerMarker !== undefined) await markContainer(containerMarker);
  return superuser;
}

interface Wanted {
  readonly password: string;
  readonly passwordOrigin: string;
  readonly reset: boolean;
  /** Everybody knows the password. */
  readonly mustChange: boolean;
  readonly warning: string | undefined;
}

async function makeOrReset(parts: SuperuserParts, wanted: Wanted): Promise<Superuser> {
  const { accounts, stores } = parts;
  const { password, passwordOrigin, reset, mustChange, warning } = wanted;
  const known = await stores.users.firstSuperuser();
  if (known === undefined) {
    const username = `test_user_${String(randomInt(10_000)).padStart(4, '0')}`;
    const user = await accounts.createSuperuser({ username, password, mustChangePassword: mustChange });
    return { user, password, passwordOrigin, warning };
  }
  if (!reset || !SUPERUSER_NAME.test(known.username))
    return { user: known, password: undefined, passwordOrigin, warning: undefined };
  // Another container on the same database: its marker is missing, and the password is somebody's own all the same.
  if (parts.isShared && mustChange && known.sessionVersion > 0 && !known.mustChangePassword)
    return { user: known, password: undefined, passwordOrigin, warning: undefined };
  // A new container reads its setting anew; that is no reason to end what programs use.
  await accounts.resetPassword(known.id, password, { mustChange, keepsKeys: true });
  return { user: known, password, passwordOrigin, warning };
}
