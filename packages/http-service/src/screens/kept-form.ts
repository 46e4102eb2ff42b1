/**
 * Maximum length of the encoded address. Below the maximum of `signInAt`, because a prefix and a language are added.
 */
const LONGEST = 3000;

type Texts = Readonly<Record<string, string>>;

/** Texts that a form shows again after signing in. */
export interface KeptForm {
  /** Typed texts, without passwords. The longest texts are left out if necessary. */
  readonly typed?: Texts;
  /**
   * Texts without which the typed texts are useless, such as the chosen rows. If they are too long, all texts are left
   * out.
   */
  readonly fixed?: Texts;
}

/** Address of a form's page with the texts in its query. */
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

/** Removes empty texts. */
export function filled(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
