import type { Connection } from '@headwater/postgres';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Cuts the bytes of one direction of a PostgreSQL connection into messages. */
class Frames {
  #rest = Buffer.alloc(0);
  #isStart: boolean;

  /** `hasStart`: the first message has no type, as that of a client. */
  constructor({ hasStart }: { readonly hasStart: boolean }) {
    this.#isStart = hasStart;
  }

  /** The messages that are complete with these bytes. */
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

/** A message of a client with one text. */
function frame(type: string, text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** SQL of the messages of one statement; of one that was prepared before, its name. */
function textOf(unit: readonly Buffer[]): string {
  const [first] = unit;
  if (first === undefined) return '';
  const parts = first.subarray(5).toString().split('\0');
  const type = String.fromCharCode(first[0] ?? 0);
  // A parse message has the statement's name first, a bind message the portal's.
  return (type === 'Q' ? parts[0] : parts[1]) ?? '';
}

/** Kinds of faults of a statement; each is made by PostgreSQL itself. */
export const WIRE_FAULTS = ['lost before', 'lost after', 'statement timeout', 'serialization failure'] as const;
export type WireFault = (typeof WIRE_FAULTS)[number];

/** A statement of a request that fails: the n-th (from 0) of all connections. */
export interface StatementFault {
  readonly nth: number;
  readonly kind: WireFault;
}

/** SQL in place of a statement: PostgreSQL refuses it as it would have refused the statement. */
const REFUSED: Readonly<Record<'statement timeout' | 'serialization failure', string>> = {
  'statement timeout': 'set statement_timeout = 1; select pg_sleep(5)',
  'serialization failure':
    "do $$ begin raise exception 'could not serialize access due to concurrent update' using errcode = '40001'; end $$",
};
/** Statements that no request makes: settings of a new connection, and the session that listens. */
const OF_CONNECTIONS = /^set jit = off|^listen |^select 1$/i;

/** A way to a PostgreSQL on which statements are counted and fail. */
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

  /** Opens a way to a PostgreSQL that listens in a folder; `terminate` ends one of its sessions. */
  static async open(parts: WireParts): Promise<FaultyWire> {
    const wire = new FaultyWire(await mkdtemp(join(tmpdir(), 'headwater-wire-')), parts);
    wire.#server.listen(join(wire.#folder, '.s.PGSQL.5432'));
    await once(wire.#server, 'listening');
    return wire;
  }

  /** The same database over this way. */
  through(connection: Connection): Connection {
    return { ...connection, host: this.#folder, port: 5432 };
  }

  /** Counts statements from now on; one fails. Returns what ends that, with their texts. */
  watch(fault?: StatementFault): () => readonly string[] {
    const seen: string[] = [];
    this.#seen = seen;
    this.#fault = fault;
    return () => {
      this.#seen = undefined;
      return seen;
    };
  }

  /** Counts a statement; returns its fault. */
  count(text: string): WireFault | undefined {
    if (this.#seen === undefined || OF_CONNECTIONS.test(text)) return undefined;
    const nth = this.#seen.push(text) - 1;
    return this.#fault?.nth === nth ? this.#fault.kind : undefined;
  }

  /** Ends a session of the server as an administrator does. */
  async end(pid: number): Promise<void> {
    await this.#terminate(pid);
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.cut();
    this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Where a way leads. */
export interface WireParts {
  /** Socket of the PostgreSQL. */
  readonly target: string;
  readonly terminate: (pid: number) => Promise<void>;
}

/** One connection: statements forth, answers back. */
class Line {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #wire: FaultyWire;
  readonly #asked = new Frames({ hasStart: true });
  readonly #answered = new Frames({ hasStart: false });
  /** Messages of a statement that is not complete. */
  #unit: Buffer[] = [];
  #pid = 0;
  /** True while the answer to a statement is held back to be lost. */
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
      for (const message of this.#asked.of(bytes)) this.#ask(message);
    });
    server.on('data', (bytes: Buffer) => {
      for (const message of this.#answered.of(bytes)) this.#answer(message);
    });
  }

  cut(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #ask(message: Buffer): void {
    const type = typeOf(message);
    if (!STATEMENT_PARTS.has(type)) return void this.#server.write(message);
    this.#unit.push(message);
    if (type !== 'Q' && type !== 'S') return;
    const unit = this.#unit;
    this.#unit = [];
    const text = textOf(unit);
    const fault = this.#wire.count(text);
    if (fault === 'statement timeout' || fault === 'serialization failure') {
      // A COMMIT that fails has ended its transaction.
      const ended = /^commit$/i.test(text) ? 'rollback; ' : '';
      return void this.#server.write(frame('Q', `${ended}${REFUSED[fault]}`));
    }
    if (fault === 'lost before') return void this.#wire.end(this.#pid);
    if (fault === 'lost after') this.#isLosing = true;
    this.#server.write(Buffer.concat(unit));
  }

  #answer(message: Buffer): void {
    const type = typeOf(message);
    if (type === 'K') this.#pid = message.readInt32BE(5);
    if (!this.#isLosing) return void this.#client.write(message);
    // Done, and never heard of.
    if (type !== 'Z') return;
    this.#isLosing = false;
    void this.#wire.end(this.#pid);
  }
}

/** Simple query; and parse, bind, describe, execute, close, sync of the extended one. */
const STATEMENT_PARTS: ReadonlySet<string> = new Set(['Q', 'P', 'B', 'D', 'E', 'C', 'S']);

/** The type of a message; '' for the first one of a client. */
const typeOf = (message: Buffer): string => ((message[0] ?? 0) === 0 ? '' : String.fromCharCode(message[0] ?? 0));
