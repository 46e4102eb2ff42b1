import type { UserPrincipal } from '@headwater/identity';
import type { Language } from '../wire/words.ts';
import type { Html } from '../pages/layout.ts';

/** Text in several languages; a missing translation is shown in English. */
export interface LocalText extends Readonly<Partial<Record<Language, string>>> {
  readonly en: string;
}

/** Superuser who opened a page of the admin, and the reader's language. */
export interface AdminCaller {
  readonly principal: UserPrincipal;
  readonly language: Language;
  /** Path prefix of the service: '' or '/prefix'. */
  readonly prefix: string;
  /** Language in the address, for links. */
  readonly chosen?: Language | undefined;
  /** Address of the client for rate limits and the audit log, if the host knows it. */
  readonly remoteAddress: string | undefined;
}

/** State of an entry, shown by colour and text. */
export type Tone = 'ok' | 'off' | 'failing';

/** Shown value: a text, perhaps with a link or a state. Null is shown as a dash. */
export type AdminValue =
  | string
  | number
  | boolean
  | null
  | {
      readonly text: string;
      /** Path below the prefix, such as `/admin/users/7/`, or an http(s) address. */
      readonly href?: string;
      readonly tone?: Tone;
    };

/** Row of a list: id, and a value for each column. */
export interface AdminRow {
  readonly id: string;
  readonly values: Readonly<Record<string, AdminValue>>;
}

/** A column of a list. */
export interface AdminColumn {
  readonly name: string;
  readonly label: LocalText;
  /** True if `list` can sort by this column. */
  readonly isSortable?: boolean;
}

/** Filter of a list, with at most one selected choice. */
export interface AdminFilter {
  readonly name: string;
  readonly label: LocalText;
  /** Choices, or a function that reads them for each page. */
  readonly choices: readonly AdminChoice[] | ((caller: AdminCaller) => Promise<readonly AdminChoice[]>);
}

/** A choice of a filter or of a field. */
export interface AdminChoice {
  readonly value: string;
  readonly label: LocalText;
}

/** Part of a list that a page shows. */
export interface AdminQuery {
  /** Searched text; '' without a search. */
  readonly search: string;
  /** Selected values by the name of the filter. */
  readonly filters: Readonly<Record<string, string>>;
  /** Chosen order; undefined: the resource's own order. */
  readonly sort: { readonly column: string; readonly isDescending: boolean } | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Rows of a page, and the number of all matching rows. */
export interface AdminPage {
  readonly rows: readonly AdminRow[];
  readonly total: number;
}

/** A field of a form. */
export interface AdminField {
  readonly name: string;
  readonly label: LocalText;
  readonly hint?: LocalText;
  /**
   * Kind of the input; default: `text`. A `password` is never sent back, logged or audited. `file`: the UTF-8 text of a
   * small file, which also is never sent back, logged or audited.
   */
  readonly kind?: 'text' | 'email' | 'number' | 'password' | 'checkbox' | 'select' | 'textarea' | 'file';
  readonly choices?: readonly AdminChoice[];
  readonly isRequired?: boolean;
  /** True if an existing row shows the field, but cannot change it. */
  readonly isReadOnly?: boolean;
  /** Maximum length, characters. */
  readonly most?: number;
  /** Value of a new form. */
  readonly initial?: string;
}

/** Texts of a form by the field's name; a checkbox is 'on' or ''. */
export type AdminTexts = Readonly<Record<string, string>>;

/** Page of a row: the fields as texts, facts and parts. */
export interface AdminDetail {
  /** Name of the row in headings, confirmations and the audit log. */
  readonly title: string;
  /** Texts of the fields, without secrets. The audit log compares them before and after a change. */
  readonly texts: AdminTexts;
  /** Facts above the form. */
  readonly facts?: readonly (readonly [label: LocalText, value: AdminValue])[];
  /** Parts above the form, such as an id to copy. */
  readonly top?: readonly Html[];
  readonly parts?: readonly Html[];
  readonly consequences?: readonly LocalText[];
}

/** Result of an addition: the new row's id, and a sentence that is shown once. */
export interface AdminAdded {
  readonly id: string;
  readonly notice?: LocalText;
}

/** Result of an action on one row. */
export interface AdminActed {
  /** Result for the page, such as "The connection works". */
  readonly notice?: LocalText;
  readonly isFailure?: boolean;
  /** Ids of other changed rows, such as other layers of a removed Item. */
  readonly also?: readonly string[];
  /** Parts below the notice on the row's page. */
  readonly parts?: readonly Html[];
}

/** Action on one row or on selected rows. Throws a `DomainError` to refuse. */
export interface AdminAction {
  readonly name: string;
  readonly label: LocalText;
  /** True if the page first asks for a confirmation. */
  readonly isDangerous?: boolean;
  /** Consequences that the confirmation states, instead of those of the row. */
  readonly consequences?: readonly LocalText[];
  /** True if the action is offered for selected rows. */
  readonly isBulk?: boolean;
  /** Fields that the action asks for, such as a new password. */
  readonly fields?: readonly AdminField[];
  /** Returns false if this row does not offer the action. */
  readonly isOffered?: (detail: AdminDetail) => boolean;
  readonly run: (id: string, caller: AdminCaller, texts: AdminTexts) => Promise<AdminActed>;
}

/**
 * Pages of one kind of entries below `/admin/{name}/`, for superusers. Functions throw a `DomainError` to refuse; every
 * change is in the audit log.
 */
export interface AdminResource {
  /** Part of the address: lower-case letters, digits, hyphens. Rows must not have the ids `add` and `actions`. */
  readonly name: string;
  /** Title of the list, such as "Users". */
  readonly title: LocalText;
  /** Name of a row within a sentence, such as "user". */
  readonly one: LocalText;
  /** Heading in the index, below which the list is named. */
  readonly section: 'people' | 'data' | 'work' | 'service';
  readonly lead?: LocalText;
  readonly columns: readonly AdminColumn[];
  readonly filters?: readonly AdminFilter[];
  /** Label of the search box; if absent, there is no search box. */
  readonly search?: LocalText;
  readonly list: (query: AdminQuery, caller: AdminCaller) => Promise<AdminPage>;
  /** Returns the number of all rows, for the index. Absent if counting is slow. */
  readonly count?: (caller: AdminCaller) => Promise<number>;
  /** Parts above the list. */
  readonly listParts?: (caller: AdminCaller) => Promise<readonly Html[]>;
  /** Finds a row by its id. If absent, rows have no pages. */
  readonly find?: (id: string, caller: AdminCaller) => Promise<AdminDetail | undefined>;
  readonly fields?: readonly AdminField[];
  /** Form of a new row; `initial`: its first texts. */
  readonly add?: {
    readonly fields: readonly AdminField[];
    readonly initial?: (caller: AdminCaller) => Promise<AdminTexts>;
    readonly parts?: (caller: AdminCaller) => Promise<readonly Html[]>;
    readonly run: (texts: AdminTexts, caller: AdminCaller) => Promise<AdminAdded>;
  };
  /** Stores the form of a row: the texts of all its changeable fields. If absent, rows cannot be changed. */
  readonly change?: (id: string, texts: AdminTexts, caller: AdminCaller) => Promise<void>;
  readonly actions?: readonly AdminAction[];
}
