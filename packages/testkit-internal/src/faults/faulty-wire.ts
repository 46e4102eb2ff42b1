import type { Connection } from '@headwater/postgres';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

class Frames {
  #rest = Buffer.alloc(0);
  #isStart: boolean;

  /** `hasStart`: the first message has no type byte, as in messages from clients. */
  constructor({ hasStart }: { readonly hasStart: boolean }) {
    this.#isStart = hasStart;
  }

  *of(bytes: Buffer): Generator<Buffer, void> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const head = this.#isStart ? 0 : 1;
      if (this.#rest.length < head + 4) return;
      const size = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < size) return;
      const message = this.#rest.subarray(0, size);
      this.#rest = this.#rest.subarray(size);
      this.#isStart = false;
      yield message;
    }
  }
}

function frame(type: string, text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** SQL of a statement, or the name of a prepared statement. */
function textOf(unit: readonly Buffer[]): string {
  const [first] = unit;
  if (first === undefined) return '';
  const parts = first.subarray(5).toString().split('\0');
  const type = String.fromCharCode(first[0] ?? 0);
  // Parse and bind messages begin with a name (of the statement or the portal), so their second text is used.
  return (type === 'Q' ? parts[0] : parts[1]) ?? '';
}

/**
 * Kinds of statement faults, raised by PostgreSQL itself. `lost`: the session is terminated before or after the
 * statement takes effect.
 */
export const WIRE_FAULTS = ['lost before', 'lost after', 'statement timeout', 'serialization failure'] as const;
export type WireFault = (typeof WIRE_FAULTS)[number];

/** A statement that fails: number `nth` (from 0) over all connections. */
export interface StatementFault {
  readonly nth: number;
  readonly kind: WireFault;
}

const REFUSED: Readonly<Record<'statement timeout' | 'serialization failure', string>> = {
  'statement timeout': 'set statement_timeout = 1; select pg_sleep(5)',
  'serialization failure':
    "do $$ begin raise exception 'could not serialize access due to concurrent update' using errcode = '40001'; end $$",
};
/** Statements that connections send by themselves, not for a request. */
const OF_CONNECTIONS = /^set jit = off|^listen |^select 1$/i;

/** Proxy in front of PostgreSQL, which counts statements and makes one statement fail. */
export class FaultyWire {
  readonly #folder: string;
  readonly #server: Server;
  readonly #target: string;
  readonly #terminate: (pid: number) => Promise<void>;
  readonly #lines = new Set<Line>();
  #seen: string[] | undefined;
  #fault: StatementFault | undefined;

  private constructor(folder: string, { target, terminate }: WireParts) {
    this.#folder = folder;
    this.#target = target;
    this.#terminate = terminate;
    this.#server = createServer((client) => {
      const line = new Line(client, connect(this.#target), this);
      this.#lines.add(line);
      client.once('close', () => this.#lines.delete(line));
    });
  }

  /** Opens a proxy of a PostgreSQL socket. */
  static async open(parts: WireParts): Promise<FaultyWire> {
    const wire = new FaultyWire(await mkdtemp(join(tmpdir(), 'headwater-wire-')), parts);
    wire.#server.listen(join(wire.#folder, '.s.PGSQL.5432'));
    await once(wire.#server, 'listening');
    return wire;
  }

  /** Connection to the database through the proxy. */
  through(connection: Connection): Connection {
    return { ...connection, host: this.#folder, port: 5432 };
  }

  /** Counts statements, and makes `fault` fail. The returned function stops the count and returns the statements. */
  watch(fault?: StatementFault): () => readonly string[] {
    const seen: string[] = [];
    this.#seen = seen;
    this.#fault = fault;
    return () => {
      this.#seen = undefined;
      return seen;
    };
  }

  /** Counts a statement. Returns the fault of this statement, if any. */
  count(text: string): WireFault | undefined {
    if (this.#seen === undefined || OF_CONNECTIONS.test(text)) return undefined;
    const nth = this.#seen.push(text) - 1;
    return this.#fault?.nth === nth ? this.#fault.kind : undefined;
  }

  /** Terminates a database session. */
  async end(pid: number): Promise<void> {
    await this.#terminate(pid);
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.cut();
    this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Target of a proxy, and a function that terminates sessions. */
export interface WireParts {
  /** PostgreSQL socket. */
  readonly target: string;
  readonly terminate: (pid: number) => Promise<void>;
}

class Line {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #wire: FaultyWire;
  readonly #fromClient = new Frames({ hasStart: true });
  readonly #fromServer = new Frames({ hasStart: false });
  #unit: Buffer[] = [];
  #pid = 0;
  #isLosing = false;

  constructor(client: Socket, server: Socket, wire: FaultyWire) {
    this.#client = client;
    this.#server = server;
    this.#wire = wire;
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    client.on('data', (bytes: Buffer) => {
      for (const message of this.#fromClient.of(bytes)) this.#forward(message);
    });
    server.on('data', (bytes: Buffer) => {
      for (const message of this.#fromServer.of(bytes)) this.#forwardBack(message);
    });
  }

  cut(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #forward(message: Buffer): void {
    const type = typeOf(message);
    if (!STATEMENT_PARTS.has(type)) return void this.#server.write(message);
    this.#unit.push(message);
    if (type !== 'Q' && type !== 'S') return;
    const unit = this.#unit;
    this.#unit = [];
    const text = textOf(unit);
    const fault = this.#wire.count(text);
    if (fault === 'statement timeout' || fault === 'serialization failure') {
      // A failed COMMIT ends the transaction, so a rollback comes first.
      const ended = /^commit$/i.test(text) ? 'rollback; ' : '';
      return void this.#server.write(frame('Q', `${ended}${REFUSED[fault]}`));
    }
    if (fault === 'lost before') return void this.#wire.end(this.#pid);
    if (fault === 'lost after') this.#isLosing = true;
    this.#server.write(Buffer.concat(unit));
  }

  #forwardBack(message: Buffer): void {
    const type = typeOf(message);
    if (type === 'K') this.#pid = message.readInt32BE(5);
    if (!this.#isLosing) return void this.#client.write(message);
    // The statement has taken effect, but the client gets no response.
    if (type !== 'Z') return;
    this.#isLosing = false;
    void this.#wire.end(this.#pid);
  }
}

/** Message types of statements: simple query (Q), and the messages of the extended protocol. */
const STATEMENT_PARTS: ReadonlySet<string> = new Set(['Q', 'P', 'B', 'D', 'E', 'C', 'S']);

const typeOf = (message: Buffer): string => ((message[0] ?? 0) === 0 ? '' : String.fromCharCode(message[0] ?? 0));
