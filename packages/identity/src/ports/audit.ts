/** Entry for an action of a superuser in the admin. An entry never changes. Times are ISO 8601 UTC. */
export interface AuditEntry {
  /** Id, which rises with each entry. */
  readonly id: number;
  readonly at: string;
  /**
   * Id of the superuser. The entry also contains the superuser's name, so that the name stays readable if the account
   * is removed or renamed.
   */
  readonly actorId: number;
  readonly actorName: string;
  /** `add`, `change` or the name of an action. */
  readonly action: string;
  /** Kind of the changed row, such as `users`. */
  readonly resource: string;
  /** Id of the row, unique within its kind. */
  readonly rowId: string;
  /** Name of the row at that time. */
  readonly title: string;
  /** Texts of the changed fields before and after the change; '' if a field had no text. Never contains secrets. */
  readonly changes: Readonly<Record<string, { readonly before: string; readonly after: string }>>;
  /** Address of the client; null if the host does not know it. */
  readonly address: string | null;
}

/** Part of the audit log. */
export interface AuditWish {
  /** Only entries with this text in the name of the row, its id or the name of the user, ignoring case. */
  readonly search?: string;
  readonly resource?: string;
  readonly rowId?: string;
  readonly action?: string;
  /** True: oldest first. */
  readonly isAscending?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The audit log. Entries are appended, never change, and are removed when they are old. */
export interface AuditStore {
  append(entry: Omit<AuditEntry, 'id'>): Promise<AuditEntry>;
  byId(id: number): Promise<AuditEntry | undefined>;
  /** Entries, newest first by default, and the number of all entries that match. */
  list(wish: AuditWish): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number }>;
  /** The newest entries, like `list` but without the number of all entries, because counting reads the whole log. */
  latest(wish: Pick<AuditWish, 'resource' | 'rowId' | 'limit'>): Promise<readonly AuditEntry[]>;
  /** Removes the entries before this time; returns their number. */
  removeBefore(at: string): Promise<number>;
}
