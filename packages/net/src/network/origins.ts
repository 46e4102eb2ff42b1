import { NetError } from '../errors.ts';

/** The http(s) origin that a text is (`http://10.0.0.5:8080`, with or without a slash at its end); undefined for anything else. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}

/** Origins as a set. Throws `validation` naming a text that is none. */
export function originSet(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.map((text) => {
      const origin = originOf(text);
      if (origin !== undefined) return origin;
      throw new NetError(
        'validation',
        `allowedOrigins: "${text}" is no origin; give scheme, host and port only, such as http://10.0.0.5:8080`,
      );
    }),
  );
}
