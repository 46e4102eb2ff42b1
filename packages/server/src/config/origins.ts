import { z } from 'zod';

/** An origin of CORS_ORIGINS: scheme, host and port, no more. */
export const origin = z.string().check(({ value, issues }) => {
  const message = problemOf(value);
  if (message !== undefined) issues.push({ code: 'custom', input: value, message });
});

function problemOf(text: string): string | undefined {
  const shown = JSON.stringify(text.slice(0, 100));
  if (text.includes('*'))
    return `${shown} would let pages call that nobody has named, with their visitors' sessions; list the origins that may, such as https://maps.example.org,https://geo.example.org`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // "maps.example.org:8080" parses as well: its host is taken for a scheme.
  if (url === undefined || !/^https?:$/.test(url.protocol)) return `${shown} is no origin; ${remedyFor(text)}`;
  if (url.origin !== text)
    return `${shown} has more than an origin: expected origins without path, user and query, such as ${url.origin}`;
  return undefined;
}

function remedyFor(text: string): string {
  const withScheme = `https://${text}`;
  const isHost = /^[\w.:[\]-]+$/.test(text) && URL.canParse(withScheme) && text !== 'null';
  return isHost
    ? `write it with its scheme, ${new URL(withScheme).origin}`
    : 'expected origins such as https://maps.example.org';
}
