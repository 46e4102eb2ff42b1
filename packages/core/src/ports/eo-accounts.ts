/** An Earth-observation account that computing requests name by numeric id. */
export interface EoAccount {
  readonly id: number;
  readonly name: string;
  readonly accountEmail: string | null;
  /** E-mail of the service account in the credentials of its platform. */
  readonly serviceAccountEmail: string | null;
  /** `local`: this software computes, without credentials. */
  readonly platform: 'local' | 'earth_engine';
  /** False: lists omit the account, and requests that name it are refused as for an unknown one. */
  readonly isVisible: boolean;
  /** False: the account is disabled, and requests that name it are refused. */
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
  /** All, ordered by id; hidden ones included. */
  list(): Promise<readonly EoAccount[]>;
}
