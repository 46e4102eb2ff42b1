import type { EoAccount } from '@headwater/core';
import type { LocalText, Tone } from './admin-resource.ts';

/** Checks of a connection, in the order in which they are made. */
export type CredentialCheck = 'file' | 'json' | 'email' | 'token' | 'bucket';

/** Result of one check of a connection. */
export interface CredentialStep {
  readonly check: CredentialCheck;
  /** `off`: not checked, because an earlier check failed or nothing is set. */
  readonly state: Tone;
  /** Reason and remedy; never a part of a key, an assertion or a token. */
  readonly detail?: LocalText;
}

/** The credentials file that an operator mounted for Earth-observation accounts. */
export interface EoCredentials {
  /** E-mail address of the file's service account; undefined if the file cannot be used. Never rejects. */
  readonly email: () => Promise<string | undefined>;
  /** Tests the connection of an account. Resolves with one step for each check, also if the signal aborts; never rejects. */
  readonly test: (account: EoAccount, signal: AbortSignal) => Promise<readonly CredentialStep[]>;
}
