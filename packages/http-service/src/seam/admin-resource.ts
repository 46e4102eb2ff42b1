import type { UserPrincipal } from '@headwater/identity';
import type { Language } from '../wire/words.ts';
import type { Html } from '../pages/layout.ts';

/** A text in the languages of the pages. In a language without a translation, the English text is shown. */
export interface LocalText extends Readonly<Partial<Record<Language, string>>> {
  readonly en: string;
}

/** The superuser who opened a page of the admin, and the reader's language. */
export interface AdminCaller {
  readonly principal: UserPrincipal;
  readonly language: Language;
  /** '' or '/prefix' of the service, for links. */
  readonly prefix: string;
  /** Language that is named in the address. Links keep this language. */
  readonly chosen?: Language | undefined;
  /** Address of the client, for the limits of attempts; undefined if the host does not know it. */
  readonly remoteAddress: string | undefined;
}

/** State of an entry, which a page shows by a colour and a text. */
export type Tone = 'ok' | 'off' | 'failing';

/** A value as it is shown: a text, or a text with a link or a colour of its state. Null is shown as a dash. */
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

/** A row of a list: its id as in the address, and a value for each column. */
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

/** A filter of a list. The reader selects one of the choices, or none. */
export interface AdminFilter {
  readonly name: string;
  readonly label: LocalText;
  /** The choices, or a function that reads them from the stores for each page of the list. */
  readonly choices: readonly AdminChoice[] | ((caller: AdminCaller) => Promise<readonly AdminChoice[]>);
}

/** A choice of a filter or of a field. */
export interface AdminChoice {
  readonly value: string;
  readonly label: LocalText;
}

/** The part of a list that a page shows. */
export interface AdminQuery {
  /** Words of the search box; '' without a search. */
  readonly search: string;
  /** Chosen values by the name of the filter; only names and values that the resource declares. */
  readonly filters: Readonly<Record<string, string>>;
  /** Column and direction; undefined if the list has the resource's own order. */
  readonly sort: { readonly column: string; readonly isDescending: boolean } | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Rows of a page, and the number of all rows that match. */
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
   * Default: `text`. A `password` is never sent back, logged or audited. `file`: one small file of text (UTF-8), sent as multipart; its value is
   * that text, with the same rules as a password.
   */
  readonly kind?: 'text' | 'email' | 'number' | 'password' | 'checkbox' | 'select' | 'textarea' | 'file';
  /** Choices of a `select`. */
  readonly choices?: readonly AdminChoice[];
  readonly isRequired?: boolean;
  /** True if the field is shown on the page of an existing row, but cannot be changed there. */
  readonly isReadOnly?: boolean;
  /** Longest value, characters. */
  readonly most?: number;
  /** Value of a new form. */
  readonly initial?: string;
}

/** Texts of a form by the name of the field; a checkbox is 'on' or ''. */
export type AdminTexts = Readonly<Record<string, string>>;

/** A row's own page: its fields as texts, and facts and parts that cannot be changed there. */
export interface AdminDetail {
  /** Name of the row, for headings, confirmations and the audit log. */
  readonly title: string;
  /** Texts of the fields; without secrets. The audit log compares them before and after a change. */
  readonly texts: AdminTexts;
  /** Facts above the form: label and value. */
  readonly facts?: readonly (readonly [label: LocalText, value: AdminValue])[];
  /** Pieces of the page above the form, such as an id to copy. */
  readonly top?: readonly Html[];
  /** Pieces of the page below the form, such as a map or a list of members. */
  readonly parts?: readonly Html[];
  /**
   * Sentences that list what is removed together with the row. The page that confirms a dangerous action shows these sentences.
   */
  readonly consequences?: readonly LocalText[];
}

/** Outcome of an addition: the id of the new row, and a sentence that is shown once, such as a secret. */
export interface AdminAdded {
  readonly id: string;
  readonly notice?: LocalText;
}

/** Outcome of an action on one row. */
export interface AdminActed {
  /** Result for the page, such as "The connection works". */
  readonly notice?: LocalText;
  /** True if the notice reports a failure. */
  readonly isFailure?: boolean;
  /** Ids of other rows that the action concerned too, such as the other layers of a removed Item. */
  readonly also?: readonly string[];
  /** Pieces below the notice on the row's page, such as the steps of a test. */
  readonly parts?: readonly Html[];
}

/** An action on one row or on the chosen rows of a list. Throws a `DomainError` to refuse. */
export interface AdminAction {
  readonly name: string;
  readonly label: LocalText;
  /** True if the page first asks for a confirmation, and shows the consequences for each row. */
  readonly isDangerous?: boolean;
  /** True if the action is also offered for the chosen rows of a list. */
  readonly isBulk?: boolean;
  /** Fields that the action asks for on its own page, such as a new password. */
  readonly fields?: readonly AdminField[];
  /** False if this row does not offer the action; default: every row does. */
  readonly isOffered?: (detail: AdminDetail) => boolean;
  readonly run: (id: string, caller: AdminCaller, texts: AdminTexts) => Promise<AdminActed>;
}

/**
 * Pages of one kind of entries below `/admin/{name}/`: a list, a page for each row, forms and actions. Only superusers reach them.
 * To refuse a request, the functions of a resource throw a `DomainError`; the errors `validation` and `conflict` name a field of
 * the form. The pages write every change to the audit log.
 */
export interface AdminResource {
  /** Part of the address: lower-case letters, digits and hyphens. The ids `add` and `actions` of rows are reserved. */
  readonly name: string;
  /** Title of the list, such as "Users". */
  readonly title: LocalText;
  /** Name of one row in the middle of a sentence, such as "user". */
  readonly one: LocalText;
  /** Heading of the index under which the resource is listed. */
  readonly section: 'people' | 'data' | 'work' | 'service';
  /** Sentence below the heading of the list. */
  readonly lead?: LocalText;
  readonly columns: readonly AdminColumn[];
  readonly filters?: readonly AdminFilter[];
  /** Label of the search box, which says what is searched; default: no search box. */
  readonly search?: LocalText;
  readonly list: (query: AdminQuery, caller: AdminCaller) => Promise<AdminPage>;
  /** Number of all rows, for the index, if it is cheap to find. Default: the index shows no number. */
  readonly count?: (caller: AdminCaller) => Promise<number>;
  /** Pieces above the list, such as a summary of the queue. */
  readonly listParts?: (caller: AdminCaller) => Promise<readonly Html[]>;
  /** Finds a row by its id; undefined if the row does not exist. Default: rows have no pages. */
  readonly find?: (id: string, caller: AdminCaller) => Promise<AdminDetail | undefined>;
  /** Fields of a row's page. */
  readonly fields?: readonly AdminField[];
  /** Form of a new row. `initial`: texts that the form starts with. */
  readonly add?: {
    readonly fields: readonly AdminField[];
    readonly initial?: (caller: AdminCaller) => Promise<AdminTexts>;
    /** Pieces above the form. */
    readonly parts?: (caller: AdminCaller) => Promise<readonly Html[]>;
    readonly run: (texts: AdminTexts, caller: AdminCaller) => Promise<AdminAdded>;
  };
  /** Stores the changed fields of a row. Default: rows cannot be changed by their form. */
  readonly change?: (id: string, texts: AdminTexts, caller: AdminCaller) => Promise<void>;
  readonly actions?: readonly AdminAction[];
}
