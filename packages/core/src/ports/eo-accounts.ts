/** An Earth-observation account. Requests for computations refer to it by its id. */
export interface EoAccount {
  readonly id: number;
  readonly name: string;
  readonly accountEmail: string | null;
  /** E-mail address in the account's credentials for the platform. */
  readonly serviceAccountEmail: string | null;
  /** Platform that reads the scenes. `local`: this software, from its own sources, without credentials. */
  readonly platform: 'local' | 'earth_engine';
  /** If false, the account is missing in lists and unknown in requests. */
  readonly isVisible: boolean;
  /** If false, the account is disabled, and requests that name it are refused. */
  readonly isActive: boolean;
  /** Users who may see and use the account: all, the members of `organizationId`, or only the user `ownerId`. */
  readonly visibleTo: 'all' | 'organization' | 'owner';
  readonly ownerId: number | null;
  readonly organizationId: string | null;
  /** True if the account has stored credentials (`EoAccountStore.sealedKey`). */
  readonly hasKey: boolean;
  /** Time until which the platform refuses requests because the quota is spent, ISO 8601 UTC. */
  readonly exhaustedUntil: string | null;
}

/** Members of an account that can be changed. */
export type EoAccountChange = Partial<Omit<EoAccount, 'id' | 'hasKey'>>;

/** A new account. Defaults: active, platform `local`, no service account, visible to all users. */
export type NewEoAccount = Pick<EoAccount, 'name' | 'accountEmail' | 'isVisible'> & EoAccountChange;

/** Earth-observation accounts. */
export interface EoAccountStore {
  create(account: NewEoAccount): Promise<EoAccount>;
  /** Changes the members that are set and returns the account; undefined if it does not exist. */
  change(id: number, change: EoAccountChange): Promise<EoAccount | undefined>;
  byId(id: number): Promise<EoAccount | undefined>;
  /** Returns all accounts, also hidden ones, ordered by id. */
  list(): Promise<readonly EoAccount[]>;
  /** Removes an account with its credentials; false if it does not exist. Its id is not used again. */
  remove(id: number): Promise<boolean>;
  /** Returns the encrypted credentials of an account. The store never has the key that decrypts them. */
  sealedKey(id: number): Promise<string | null>;
  /** Replaces or removes (null) the encrypted credentials of an account; false if it does not exist. */
  setSealedKey(id: number, sealed: string | null): Promise<boolean>;
}

/** The accounts that one user may name in requests. */
export interface CallerAccounts {
  /** Returns an account; undefined if it does not exist, or if the user may not see it. */
  byId(id: number): Promise<EoAccount | undefined>;
  /** Returns the reason why runs cannot use an account; default: `accountProblem`. */
  readonly problemOf?: (account: EoAccount) => Promise<string | undefined>;
}
