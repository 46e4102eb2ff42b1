const LONGEST = 400;

/**
 * Error text of a response, on one short line: RFC 7807 body (Airflow 2), `{detail}` (Airflow 3), or title of an HTML
 * page.
 */
export function errorTextOf(text: string): string {
  return oneLine(fromJson(text) ?? fromHtml(text) ?? text);
}

/** True for an error body of Airflow: RFC 7807 or `{detail}`. */
export function isOwnError(text: string): boolean {
  const body = parsed(text);
  if (typeof body !== 'object' || body === null) return false;
  return ('title' in body && 'status' in body) || 'detail' in body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromJson(text: string): string | undefined {
  const body = parsed(text);
  if (body === undefined) return undefined;
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const title = 'title' in body ? textOf(body.title) : undefined;
  const detail = 'detail' in body ? detailOf(body.detail) : undefined;
  const parts = [title, detail].filter((part) => part !== undefined && part !== '');
  return parts.length > 0 ? parts.join(': ') : JSON.stringify(body);
}

function detailOf(detail: unknown): string | undefined {
  if (detail === null || detail === undefined) return undefined;
  if (!Array.isArray(detail)) return textOf(detail) ?? JSON.stringify(detail);
  return detail.map(faultOf).join('; ');
}

/** A fault of Airflow 3: `{loc: ['body', 'logical_date'], msg: 'Field required'}`. */
function faultOf(fault: unknown): string {
  if (typeof fault !== 'object' || fault === null) return String(fault);
  const place = 'loc' in fault && Array.isArray(fault.loc) ? fault.loc.join('.') : '';
  const message = 'msg' in fault ? textOf(fault.msg) : undefined;
  return message === undefined ? JSON.stringify(fault) : `${place}: ${message}`;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function fromHtml(text: string): string | undefined {
  if (!/^\s*</.test(text)) return undefined;
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim();
  return title === undefined || title === '' ? 'an HTML page' : `an HTML page, "${title}"`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line;
}
