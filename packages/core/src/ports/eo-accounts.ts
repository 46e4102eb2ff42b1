/** An Earth-observation account that computing requests name by numeric id. */
export interface EoAccount {
  readonly id: number;
  readonly name: string;
  readonly accountEmail: string | null;
  readonly isVisible: boolean;
}

/** Earth-observation accounts. */
export interface EoAccountStore {
  create(account: Omit<EoAccount, 'id'>): Promise<EoAccount>;
  /** Changes the members that are set and returns the account; undefined if it does not exist. */
  change(id: number, change: Partial<Omit<EoAccount, 'id'>>): Promise<EoAccount | undefined>;
  byId(id: number): Promise<EoAccount | undefined>;
  /** All, ordered by id; hidden ones included. */
  list(): Promise<readonly EoAccount[]>;
}
