/** Response of a fake GeoServer. */
export interface FakeAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Uint8Array;
}

interface StyleMaps {
  readonly styles: Map<string, string | null>;
  readonly files: Map<string, string>;
  readonly defaults: ReadonlyMap<string, string>;
}

/** Answers a call about styles. */
export function answerStyle(
  { styles, files, defaults }: StyleMaps,
  call: { readonly method: string; readonly contentType: string | null; readonly accept: string },
  { name, workspace, text, url }: { name: string | undefined; workspace: string | undefined; text: string; url: URL },
): FakeAnswer {
  const keyOf = (plain: string): string => (workspace === undefined ? plain : `${workspace}:${plain}`);
  if (call.method === 'POST') {
    if (call.contentType === 'application/vnd.ogc.sld+xml') {
      const asked = url.searchParams.get('name') ?? '';
      if (styles.has(keyOf(asked)))
        return { status: 403, type: 'text/html;charset=iso-8859-1', body: `Style ${asked} already exists.` };
      if (!isSld(text)) return { status: 500, type: 'text/plain', body: 'Error writing style' };
      styles.set(keyOf(asked), text);
      return { status: 201, type: 'text/plain', body: asked };
    }
    if (call.accept !== '*/*')
      return { status: 500, type: 'text/plain', body: `No such style handler: format = ${call.accept}` };
    const { style } = JSON.parse(text) as { style: { name: string; filename?: string } };
    if (styles.has(keyOf(style.name)))
      return { status: 500, type: 'text/plain', body: `Style named '${style.name}' already exists` };
    styles.set(keyOf(style.name), null);
    files.set(keyOf(style.name), style.filename ?? `${style.name}.sld`);
    return { status: 201, type: 'text/plain;charset=iso-8859-1', body: style.name };
  }
  const plain = (name ?? '').replace(/\.(json|sld)$/, '');
  const key = keyOf(plain);
  if (call.method === 'PUT') {
    if (!styles.has(key) || !isSld(text)) return { status: 400 };
    styles.set(key, text);
    return { status: 200 };
  }
  if (!styles.has(key))
    return {
      status: 404,
      type: 'text/plain',
      body: call.method === 'GET' ? `No such style: ${plain}` : `Style ${plain} not found`,
    };
  if (call.method === 'GET')
    return name?.endsWith('.sld') === true
      ? { status: 200, type: 'application/vnd.ogc.sld+xml', body: styles.get(key) ?? '' }
      : jsonAnswer(200, { style: { name: plain, format: 'sld', filename: files.get(key) ?? `${plain}.sld` } });
  if ([...defaults.values()].includes(key) && url.searchParams.get('recurse') !== 'true') return { status: 403 };
  styles.delete(key);
  return { status: 200 };
}

/** A response with a JSON document. */
export const jsonAnswer = (status: number, value: unknown): FakeAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const isSld = (text: string): boolean => text.includes('StyledLayerDescriptor');
