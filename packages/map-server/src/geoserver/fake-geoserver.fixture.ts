import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerStyle, jsonAnswer, type FakeAnswer } from './fake-styles.fixture.ts';

/** Settings of a fake GeoServer. */
export interface FakeSettings {
  /**
   * Major version. 2 behaves like the recorded 2.26.2. 3 responds with 404 to a trailing slash, sends problem JSON, and
   * has no WCS 1.0.
   */
  readonly major?: 2 | 3;
  readonly username?: string;
  readonly password?: string;
}

interface Store {
  readonly type: 'coveragestores' | 'datastores';
  bytes: Uint8Array;
  isBroken: boolean;
  keywords: readonly string[];
  title: string;
  abstract?: string;
  /** Type of the store as GeoServer names it. Default: the type of an uploaded store. */
  readonly format?: string;
  /** Names of the other layers of the store. */
  readonly others?: readonly string[];
}

type Changes = { title?: string; abstract?: string; keywords?: { string: string[] } };

/** Responds to a read outside of the REST API, for example of a map or a coverage. */
export type FakeReads = (fake: FakeGeoServer, url: URL) => FakeAnswer;

/**
 * A status, `hang` (no response), `cut` (connection closed after the change), or `half` (connection closed within the
 * response).
 */
export type Fault = number | 'hang' | 'cut' | 'half';

/** A GeoServer in memory. REST statuses and errors follow recordings of version 2.26.2. */
export class FakeGeoServer {
  readonly workspaces = new Map<string, Map<string, Store>>();
  /** Documents by `workspace:name`, or by name for global styles. Null: an entry without a document. */
  readonly styles = new Map<string, string | null>();
  /** File names of styles, by the keys of `styles`. Entries without a file name are absent. */
  readonly files = new Map<string, string>();
  /** Default styles by `workspace:layer`. */
  readonly defaults = new Map<string, string>();
  readonly calls: string[] = [];
  faults: Fault[] = [];
  /** Called at each request, before its change. */
  onCall: ((call: string) => void) | undefined;
  /** Responds to reads outside of the REST API. Default: 404. */
  reads: FakeReads = () => ({ status: 404, type: 'text/html', body: '<html>no</html>' });
  readonly #settings: Required<FakeSettings>;

  constructor({ major = 2, username = 'admin', password = 'geoserver' }: FakeSettings = {}) {
    this.#settings = { major, username, password };
  }

  /** Readable layers, `workspace:name`. */
  get layers(): readonly string[] {
    return [...this.workspaces].flatMap(([workspace, stores]) =>
      [...stores].flatMap(([name, { isBroken }]) => (isBroken ? [] : [`${workspace}:${name}`])),
    );
  }

  /** Listens on a free port. */
  async listen(): Promise<{ readonly url: string; close(): Promise<void> }> {
    const server = createServer((request, response) => {
      void (async () => {
        const fault = this.faults.shift();
        if (fault === 'hang') return;
        const answer = typeof fault === 'number' ? { status: fault } : await this.#handle(request);
        if (fault === 'cut') {
          request.socket.destroy();
          return;
        }
        if (fault === 'half') {
          response.writeHead(answer.status, { 'content-length': '1000' });
          response.write('{"about":', () => request.socket.destroy());
          return;
        }
        response.writeHead(answer.status, answer.type === undefined ? {} : { 'content-type': answer.type });
        response.end(answer.body);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/geoserver`,
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  async #handle(request: IncomingMessage): Promise<FakeAnswer> {
    const url = new URL(request.url ?? '', 'http://localhost');
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const path = url.pathname.slice('/geoserver'.length);
    this.calls.push(`${request.method} ${path}`);
    this.onCall?.(`${request.method} ${path}`);
    if (path === '/web/') return { status: 302 };
    const { username, password, major } = this.#settings;
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (!path.startsWith('/rest')) return this.reads(this, url);
    if (request.headers.authorization !== expected)
      return { status: 401, type: 'application/json', body: '{"message":"Unauthorized"}' };
    if (major === 3 && path.endsWith('/')) return { status: 404 };
    const answer = this.rest({
      method: request.method ?? 'GET',
      path: `${path}${url.search}`,
      contentType: request.headers['content-type'] ?? null,
      accept: request.headers.accept ?? '*/*',
      body: new Uint8Array(Buffer.concat(pieces)),
    });
    return major === 3 && answer.status >= 400
      ? {
          status: answer.status,
          type: 'application/problem+json',
          body: JSON.stringify({ title: 'Error', status: answer.status, detail: answer.body ?? '', instance: path }),
        }
      : answer;
  }

  rest(call: {
    readonly method: string;
    readonly path: string;
    readonly contentType: string | null;
    readonly accept: string;
    readonly body: Uint8Array;
  }): FakeAnswer {
    const url = new URL(call.path, 'http://localhost');
    const segments = url.pathname
      .split('/')
      .filter((each) => each !== '')
      .slice(1)
      .map(decodeURIComponent);
    const text = new TextDecoder().decode(call.body);
    const [first, second, third, fourth, ...rest] = segments;
    if (first === 'about')
      return jsonAnswer(200, {
        about: { resource: [{ '@name': 'GeoServer', Version: this.#settings.major === 3 ? '3.0.0' : '2.26.2' }] },
      });
    if (first === 'reload') return { status: 200 };
    if (first === 'styles') return answerStyle(this, call, { name: second, workspace: undefined, text, url });
    if (first === 'layers' || first === 'layers.json') return this.#layer(call.method, second, text);
    if (first === 'workspaces' || first === 'workspaces.json') {
      if (second === undefined) return this.#workspaceList(call.method, call.contentType, text);
      if (third === undefined) return this.#workspace(call.method, second, url.searchParams);
      if (third === 'styles') return answerStyle(this, call, { name: fourth, workspace: second, text, url });
      if (third === 'layers' || third === 'layers.json') return this.#layersOf(call.method, second, fourth);
      if (/^(?:coveragestores|datastores)(?:\.json)?$/.test(third))
        return this.#store(call, {
          workspace: second,
          type: third.replace('.json', '') as Store['type'],
          name: fourth,
          rest,
          url,
          text,
        });
    }
    return jsonAnswer(404, { servlet: 'dispatcher', message: 'Not Found', url: url.pathname, status: '404' });
  }

  #workspaceList(method: string, contentType: string | null, text: string): FakeAnswer {
    if (method === 'GET') {
      const names = [...this.workspaces.keys()].map((name) => ({ name }));
      return jsonAnswer(200, { workspaces: names.length === 0 ? '' : { workspace: names } });
    }
    if (contentType === 'application/xml') return this.#addWorkspace(/<name>(.*)<\/name>/.exec(text)?.[1] ?? '');
    if (contentType !== 'application/json') return { status: 415 };
    try {
      const { workspace } = JSON.parse(text) as { workspace: { name: string } };
      return this.#addWorkspace(workspace.name);
    } catch {
      return { status: 500, type: 'text/plain', body: '' };
    }
  }

  #addWorkspace(name: string): FakeAnswer {
    if (this.workspaces.has(name))
      return {
        status: 409,
        type: 'text/html;charset=iso-8859-1',
        body: `<html>Workspace &apos;${name}&apos; already exists</html>`,
      };
    this.workspaces.set(name, new Map());
    return { status: 201, type: 'text/plain', body: name };
  }

  #workspace(method: string, name: string, query: URLSearchParams): FakeAnswer {
    const plain = name.replace(/\.json$/, '');
    const stores = this.workspaces.get(plain);
    if (stores === undefined) return { status: 404, type: 'text/plain', body: `No such workspace: '${plain}' found` };
    if (method === 'GET') return jsonAnswer(200, { workspace: { name: plain, isolated: false } });
    if (method !== 'DELETE') return { status: 405 };
    if (stores.size > 0 && query.get('recurse') !== 'true') return { status: 403 };
    this.workspaces.delete(plain);
    return { status: 200 };
  }

  #store(
    call: {
      readonly method: string;
      readonly accept: string;
      readonly body: Uint8Array;
      readonly contentType: string | null;
    },
    at: {
      workspace: string;
      type: Store['type'];
      name: string | undefined;
      rest: readonly string[];
      url: URL;
      text: string;
    },
  ): FakeAnswer {
    const { type, name, rest, url, text } = at;
    const singular = type === 'coveragestores' ? 'coverageStore' : 'dataStore';
    const stores = this.workspaces.get(at.workspace);
    if (name === undefined) {
      if (call.method === 'POST') return this.#addStore(at.workspace, text);
      const names = [...(stores ?? [])].filter(([, each]) => each.type === type).map(([each]) => ({ name: each }));
      return jsonAnswer(200, { [`${singular}s`]: names.length === 0 ? '' : { [singular]: names } });
    }
    if (rest[0]?.startsWith('file.') === true && call.method === 'PUT')
      return this.#upload(at.workspace, name, { type, bytes: call.body, accept: call.accept });
    const plain = name.replace(/\.json$/, '');
    const store = stores?.get(plain);
    if (store === undefined || store.type !== type)
      return {
        status: 404,
        type: 'text/plain',
        body: `No such ${type === 'coveragestores' ? 'coverage' : 'data'} store: ${at.workspace},${plain}`,
      };
    if (rest.length > 0) return this.#resource(call.method, store, { name: plain, rest, text, type });
    const format = store.format ?? (type === 'coveragestores' ? 'GeoTIFF' : 'Shapefile');
    const workspace = { name: at.workspace };
    if (call.method === 'GET')
      return jsonAnswer(200, { [singular]: { name: plain, type: format, enabled: true, workspace } });
    if (call.method !== 'DELETE') return { status: 405 };
    if (url.searchParams.get('recurse') !== 'true') return { status: type === 'coveragestores' ? 401 : 403 };
    stores?.delete(plain);
    this.defaults.delete(`${at.workspace}:${plain}`);
    return { status: 200 };
  }

  #addStore(workspace: string, text: string): FakeAnswer {
    const stores = this.workspaces.get(workspace);
    if (stores === undefined)
      return {
        status: 500,
        type: 'text/plain',
        body: 'Cannot invoke "org.geoserver.catalog.WorkspaceInfo.getName()" because "ws" is null',
      };
    const { dataStore } = JSON.parse(text) as { dataStore: { name: string } };
    if (stores.has(dataStore.name))
      return {
        status: 500,
        type: 'text/plain',
        body: `Store '${dataStore.name}' already exists in workspace '${workspace}'`,
      };
    stores.set(dataStore.name, {
      type: 'datastores',
      bytes: new Uint8Array(),
      isBroken: false,
      keywords: [],
      title: '',
    });
    return { status: 201, type: 'text/plain', body: dataStore.name };
  }

  #upload(
    workspace: string,
    name: string,
    { type, bytes, accept }: { type: Store['type']; bytes: Uint8Array; accept: string },
  ): FakeAnswer {
    // GeoServer stores a raster of a missing workspace in the default workspace, which is the first.
    const target = this.workspaces.has(workspace) || type === 'datastores' ? workspace : [...this.workspaces.keys()][0];
    const stores = this.workspaces.get(target ?? '');
    if (target === undefined || stores === undefined)
      return { status: 500, type: 'text/plain', body: 'Cannot invoke "WorkspaceInfo.getName()"' };
    const isGood = type === 'coveragestores' ? isTiff(bytes) : isZipOrSqlite(bytes);
    const before = stores.get(name);
    stores.set(name, {
      type,
      bytes,
      isBroken: !isGood,
      keywords: before?.keywords ?? [name],
      title: before?.title ?? name,
    });
    if (!isGood) return { status: 500, type: 'text/plain', body: 'Could not acquire reader for coverage.' };
    this.defaults.set(
      `${target}:${name}`,
      this.defaults.get(`${target}:${name}`) ?? (type === 'coveragestores' ? 'raster' : 'polygon'),
    );
    if (type === 'datastores') return { status: 201 };
    return accept.includes('json') || accept === '*/*'
      ? jsonAnswer(201, { coverageStore: { name, type: 'GeoTIFF', enabled: true, workspace: { name: target } } })
      : { status: 201 };
  }

  #resource(
    method: string,
    store: Store,
    { name, rest, text, type }: { name: string; rest: readonly string[]; text: string; type: Store['type'] },
  ): FakeAnswer {
    const [list, resource] = rest;
    const root = type === 'coveragestores' ? 'coverage' : 'featureType';
    if (list === 'featuretypes' && resource === undefined && method === 'POST')
      return /"srs"/.test(text) && store.keywords.length === 0
        ? ((store.keywords = ['features']), { status: 201, type: 'text/plain' })
        : /"ghost"/.test(text)
          ? { status: 400, type: 'text/html;charset=iso-8859-1', body: '<html>no attributes were specified</html>' }
          : { status: 500, type: 'text/plain', body: "Resource named 'x' already exists in store: 'x'" };
    if (list === 'featuretypes.json' || list === 'coverages.json') {
      const named = [name, ...(store.others ?? [])].map((each) => ({ name: each }));
      const key = list.replace('.json', '').replace('types', 'Types');
      return jsonAnswer(200, { [key]: store.isBroken ? '' : { [root]: named } });
    }
    if (resource === undefined || store.isBroken) return { status: 404 };
    if (method === 'GET')
      return jsonAnswer(200, { [root]: { name, title: store.title, keywords: { string: store.keywords } } });
    const change = (JSON.parse(text) as Record<string, Changes>)[root];
    store.title = change?.title ?? store.title;
    store.abstract = change?.abstract ?? '';
    store.keywords = change?.keywords?.string ?? store.keywords;
    return { status: 200 };
  }

  #layersOf(method: string, workspace: string, layer: string | undefined): FakeAnswer {
    const stores = this.workspaces.get(workspace);
    if (layer === undefined) {
      const names = [...(stores ?? [])].filter(([, { isBroken }]) => !isBroken).map(([name]) => ({ name }));
      return jsonAnswer(200, { layers: names.length === 0 ? '' : { layer: names } });
    }
    const name = layer.replace(/\.json$/, '');
    if (stores?.has(name) !== true) return { status: 404, type: 'text/plain', body: `${workspace}:${name}` };
    return method === 'GET' ? this.#layer('GET', `${workspace}:${name}.json`, '') : { status: 200 };
  }

  #layer(method: string, qualified: string | undefined, text: string): FakeAnswer {
    if (qualified === undefined) {
      if (method !== 'GET') return { status: 405 };
      return jsonAnswer(200, {
        layers: this.layers.length === 0 ? '' : { layer: this.layers.map((name) => ({ name })) },
      });
    }
    const key = qualified.replace(/\.json$/, '');
    const [workspace = '', name = ''] = key.split(':');
    const store = this.workspaces.get(workspace)?.get(name);
    if (store === undefined || store.isBroken)
      return method === 'GET'
        ? { status: 404, type: 'text/plain', body: `No such layer: ${key}` }
        : {
            status: 500,
            type: 'text/plain',
            body: 'Cannot invoke "org.geoserver.catalog.LayerInfo.getResource()" because "original" is null',
          };
    if (method === 'GET') {
      const resources = store.type === 'coveragestores' ? 'coverages' : 'featuretypes';
      return jsonAnswer(200, {
        layer: {
          name,
          defaultStyle: { name: this.defaults.get(key) },
          resource: {
            name: key,
            href: `http://localhost/geoserver/rest/workspaces/${workspace}/${store.type}/${name}/${resources}/${name}.json`,
          },
        },
      });
    }
    const { layer } = JSON.parse(text) as { layer: { defaultStyle: { name: string; workspace?: string } } };
    const { name: style, workspace: of } = layer.defaultStyle;
    const full = of === undefined ? style : `${of}:${style}`;
    // A GeoServer ignores an unknown style, but responds with 200.
    if (this.styles.has(full)) this.defaults.set(key, full);
    return { status: 200 };
  }
}

const isTiff = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x49 && bytes[1] === 0x49) || (bytes[0] === 0x4d && bytes[1] === 0x4d);
const isZipOrSqlite = (bytes: Uint8Array): boolean =>
  /^(?:PK|SQLite)/.test(new TextDecoder().decode(bytes.subarray(0, 6)));
