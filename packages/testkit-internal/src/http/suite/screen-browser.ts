/** A response to a browser: either a page or a redirect. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Target of a redirect, relative to the host. */
  readonly location: string | undefined;
}

/** Fields of a form. */
export type Fields = Readonly<Record<string, string>>;

/** A browser without scripts: stores cookies, sends its origin with forms, follows no redirects. */
export interface ScreenBrowser {
  readonly cookies: Map<string, string>;
  open(path: string, headers?: Fields): Promise<Shown>;
  /** Sends fields as a form, with the `Origin` of this host. */
  post(path: string, fields: Fields, headers?: Fields): Promise<Shown>;
  postForm(path: string, form: FormData): Promise<Shown>;
  /** Opens a page and sends its form, with hidden and given fields. `action` defaults to the page's path. */
  submit(page: string, fields: Fields, action?: string): Promise<Shown>;
}

/** Creates a browser for a listening host. */
export function createScreenBrowser(url: string): ScreenBrowser {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Shown> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers({ accept: 'text/html', ...(cookie === '' ? {} : { cookie }) });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const answer = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) store(cookies, line);
    const location = answer.headers.get('location') ?? undefined;
    return { status: answer.status, headers: answer.headers, body: await answer.text(), location };
  };
  const open: ScreenBrowser['open'] = (path, headers = {}) => send(path, { headers });
  const post: ScreenBrowser['post'] = (path, fields, headers = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: url, ...headers } });
  return {
    cookies,
    open,
    post,
    postForm: (path, form) => send(path, { method: 'POST', body: form, headers: { origin: url } }),
    submit: async (page, fields, action = page.replace(/\?.*/, '')) =>
      await post(action, { ...hiddenFields((await open(page)).body), ...fields }),
  };
}

function store(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/max-age=0/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

/** Hidden fields of the first form (POST) with the hidden field `name`, or without it if `hasIt` is false. */
export function formFields({ body }: Pick<Shown, 'body'>, name: string, hasIt: boolean): Fields {
  const forms = body.split(/(?=<form)/).map(hiddenFields);
  return forms.find((fields) => Object.keys(fields).length > 0 && name in fields === hasIt) ?? {};
}

/** Hidden fields of the first form (POST) of a page. */
export function hiddenFields(page: string): Fields {
  const [form = ''] = /<form(?=[^>]* method="post")[^]*?<\/form>/.exec(page) ?? [];
  const found = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
}
