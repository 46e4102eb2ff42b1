/** Entry for a superuser's action in the admin; never changes. Times are ISO 8601 UTC. */
export interface AuditEntry {
  /** Id, which rises with each entry. */
  readonly id: number;
  readonly at: string;
  /** Id of the superuser. The entry also has the name, because the account may be removed or renamed. */
  readonly actorId: number;
  readonly actorName: string;
  /** `add`, `change` or the name of an action. */
  readonly action: string;
  /** Kind of the row, such as `users`. */
  readonly resource: string;
  /** Id of the row, unique within its kind. */
  readonly rowId: string;
  /** Name of the row at the time of the action. */
  readonly title: string;
  /** Texts of changed fields, without secrets; '' for no text. */
  readonly changes: Readonly<Record<string, { readonly before: string; readonly after: string }>>;
  /** Address of the client; null if the host does not know it. */
  readonly address: string | null;
}

/** Filter, order and page of a list of audit entries. */
export interface AuditWish {
  /** Text in the row's name, the row's id or the superuser's name, ignoring case. */
  readonly search?: string;
  readonly resource?: string;
  readonly rowId?: string;
  readonly action?: string;
  /** True: oldest first. */
  readonly isAscending?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Audit log. Entries are never changed; old entries are removed. */
export interface AuditStore {
  append(entry: Omit<AuditEntry, 'id'>): Promise<AuditEntry>;
  byId(id: number): Promise<AuditEntry | undefined>;
  /** Entries, newest first by default, and the number of all matching entries. */
  list(wish: AuditWish): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number }>;
  /** Newest entries, without the number of all, because counting reads the whole log. */
  latest(wish: Pick<AuditWish, 'resource' | 'rowId' | 'limit'>): Promise<readonly AuditEntry[]>;
  /** Removes the entries from before `at` (ISO 8601); returns their number. */
  removeBefore(at: string): Promise<number>;
}
