import { raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Language } from '../wire/words.ts';

const LINK = /(<a\b[^>]*?\shref=")([^"]*)/g;

/**
 * Adds the reader's chosen language to the links of a page to other pages of this service. Other links stay
 * unchanged, and so do links that already have a language or a format.
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
