import { paths } from '../wire/paths.ts';

/** Text as one word of a POSIX shell, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Options of curl for a JSON body. */
export const AS_JSON = `-H 'Content-Type: application/json'`;
/** Option of curl for the token of `signInLines`. Without a token, the shell prints the remedy. */
export const WITH_TOKEN = `-H "Authorization: Bearer \${TOKEN:?sign in first}"`;
/** Continues a command on the next line. */
export const CONTINUED = ' \\\n  ';

/** Shell commands that sign in and store the access token, with curl and sed only. */
export function signInLines(baseUrl: string): string {
  return [
    `NAME='your name'; PASSWORD='your password'`,
    `TOKEN=$(curl -sS ${shellWord(baseUrl + paths.login)} ${AS_JSON}${CONTINUED}-d '{"username":"'"$NAME"'","password":"'"$PASSWORD"'"}' |${CONTINUED}sed -n 's/.*"access": *"\\([^"]*\\)".*/\\1/p')`,
  ].join('\n');
}
