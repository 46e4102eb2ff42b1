/**
 * Maximum length of the encoded address. It is below the maximum of `signInAt`, because a mount prefix and a language
 * are added.
 */
const LONGEST = 3000;

/** Texts of a form by the names of its fields. */
type Texts = Readonly<Record<string, string>>;

/** Texts of a form that its page shows again. */
export interface KeptForm {
  /** Typed texts, never passwords. If they are too long, the longest texts are left out. */
  readonly typed?: Texts;
  /**
   * Texts without which all other texts have no meaning, such as the chosen rows. If these texts are too long even without the
   * typed texts, the address has no texts at all.
   */
  readonly fixed?: Texts;
}

/**
 * Address of a form's page with the texts of the form as its query. So a user whose session has ended finds the form filled after signing
 * in.
 */
export function keptAddress(path: string, { typed = {}, fixed = {} }: KeptForm): string {
  const longFirst = Object.keys(typed).sort((one, other) => (typed[other] ?? '').length - (typed[one] ?? '').length);
  const left = new Map([...Object.entries(fixed), ...Object.entries(typed)]);
  for (const name of [...longFirst, undefined]) {
    const query = new URLSearchParams([...left]).toString();
    const address = query === '' ? path : `${path}?${query}`;
    if (encodeURIComponent(address).length <= LONGEST) return address;
    if (name !== undefined) left.delete(name);
  }
  return path;
}

/**
 * Texts of a form without the empty texts. A field without text is empty on the page anyway, so its text need not be in the
 * address.
 */
export function filled(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
