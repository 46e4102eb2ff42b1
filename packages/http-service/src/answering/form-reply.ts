import { FORM_HEADERS, type Html } from '../pages/layout.ts';
import type { Reply } from '../seam/reply.ts';
import { HTML_TYPE } from './in-form.ts';

/** A page with a form for one person, which nobody keeps. */
export async function formReply(status: number, page: Html): Promise<Reply> {
  return { status, headers: { 'content-type': HTML_TYPE, ...FORM_HEADERS }, body: String(await page) };
}
