/** An Earth-observation account; requests to compute contain its numeric id. */
export interface EoAccount {
  readonly id: number;
  readonly name: string;
  readonly accountEmail: string | null;
  /** E-mail of the service account in the credentials of its platform. */
  readonly serviceAccountEmail: string | null;
  /** `local`: this software computes, without credentials. */
  readonly platform: 'local' | 'earth_engine';
  /** If false, lists omit the account, and requests that name it are refused like requests that name an unknown account. */
  readonly isVisible: boolean;
  /** If false, the account is disabled, and requests that name it are refused. */
  readonly isActive: boolean;
}

/** A new account; by default it is active, of the platform `local` and without service account. */
export type NewEoAccount = Pick<EoAccount, 'name' | 'accountEmail' | 'isVisible'> &
  Partial<Pick<EoAccount, 'serviceAccountEmail' | 'platform' | 'isActive'>>;

/** Earth-observation accounts. */
export interface EoAccountStore {
  create(account: NewEoAccount): Promise<EoAccount>;
  /** Changes the members that are set and returns the account; undefined if it does not exist. */
  change(id: number, change: Partial<Omit<EoAccount, 'id'>>): Promise<EoAccount | undefined>;
  byId(id: number): Promise<EoAccount | undefined>;
  /** Returns all accounts, also hidden ones, ordered by id. */
  list(): Promise<readonly EoAccount[]>;
}
