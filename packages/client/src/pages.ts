/** Members with the entries of a page; a response with one of these members is a list. */
const MEMBERS = ['results', 'features', 'collections', 'children'] as const;

type Member = (typeof MEMBERS)[number];

/** Type of the entries of a page; `never` for a response that is not a list. */
export type PageEntry<Page> = Page extends readonly (infer Entry)[]
  ? Entry
  : { [Name in Member]: Page extends Readonly<Record<Name, readonly (infer Entry)[]>> ? Entry : never }[Member];

/** Entries of a page. */
export function pageEntries(page: unknown): readonly unknown[] {
  if (Array.isArray(page)) return page;
  const members: Readonly<Record<string, unknown>> = Object(page);
  return MEMBERS.flatMap((name) => (Array.isArray(members[name]) ? members[name] : []));
}

/** Returns the query of the next page, from the member or link `next`; undefined on the last page. */
export function nextQuery(page: unknown): Readonly<Record<string, string>> | undefined {
  const { next, links }: { readonly next?: unknown; readonly links?: unknown } = Object(page);
  const all: readonly unknown[] = Array.isArray(links) ? links : [];
  const link = all.map((each) => Object(each) as { rel?: unknown; href?: unknown }).find(({ rel }) => rel === 'next');
  const href = typeof next === 'string' ? next : link?.href;
  // Only the query is used, because the links may have another address than this client uses.
  return typeof href === 'string' ? Object.fromEntries(new URL(href, 'http://service').searchParams) : undefined;
}
