import { raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Language } from '../wire/words.ts';

const LINK = /(<a\b[^>]*?\shref=")([^"]*)/g;

/**
 * Adds the language that the reader chose in the address to the links of a page that lead to other pages of this service. The links
 * of a page come from many parts, so this function changes all links in one place. The addresses of pages end in `/`. Links that
 * name a language or a format, and links to files and to other servers, stay unchanged.
 */
export function keepLanguage(page: HtmlEscapedString, prefix: string, lang: Language): HtmlEscapedString {
  return raw(page.replace(LINK, (_, start: string, address: string) => start + inLanguage(address, prefix, lang)));
}

function inLanguage(address: string, prefix: string, lang: Language): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*\/)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const isPage = path.startsWith(`${prefix}/`) && !path.startsWith('//');
  if (!isPage || /[?&;](?:lang|format)=/.test(query)) return address;
  return `${path}${query === '' ? '?' : `${query}&amp;`}lang=${lang}${fragment}`;
}
