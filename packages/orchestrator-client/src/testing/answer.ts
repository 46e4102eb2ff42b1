/** An answer before it is written. */
export interface FakeAnswer {
  readonly status: number;
  /** Text is sent as it is, anything else as JSON. */
  readonly body: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
