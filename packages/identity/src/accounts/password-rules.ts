import type { FieldProblem } from '@headwater/core';
import { similarity } from '@headwater/core/values';

/**
 * Frequent passwords of published leaks, and likely words of this service, in lower case. Passwords that other rules
 * refuse are not listed.
 */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1234 password! passw0rd p@ssword p@ssw0rd passwort passwords mypassword
   qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwertz123 azertyuiop 1qaz2wsx 1q2w3e4r 1q2w3e4r5t q1w2e3r4
   q1w2e3r4t5 zaq12wsx zaq1zaq1 asdfghjk asdfghjkl zxcvbnm123 asdf1234 qazwsxedc 1qazxsw2 abcd1234 abc12345 abcdefgh abcdefg1
   a1b2c3d4 aa123456 123456aa a1234567 a12345678 12345678a 123456789a 123abc123 1234qwer 123qweasd 123456ab 12345abc
   iloveyou iloveyou1 iloveyou2 iloveyou! sunshine sunshine1 princess princess1 football football1 baseball baseball1
   basketball superman superman1 batman123 spiderman pokemon1 pokemon123 starwars starwars1 michael1 jennifer jessica1
   charlie1 jordan23 michelle danielle alexander elizabeth samantha christian chocolate butterfly trustno1 whatever
   computer internet samsung1 samsung123 liverpool liverpool1 chelsea1 arsenal1 barcelona manchester corvette mercedes
   welcome1 welcome123 welcome! letmein1 letmein123 changeme changeme1 changeme123 change_me test_change_me default1 administrator
   admin123 admin1234 admin12345 adminadmin administrator1 rootroot root1234 testtest test1234 test12345 testing1
   testing123 temp1234 temppass guest123 guest1234 user1234 username userpass secret123 topsecret master123 dragon123
   monkey123 shadow123 killer123 login123 access123 hello123 hello1234 freedom1 blink182 password01 qwer1234 asdasdasd
   asdfasdf qweqweqwe zxczxczxc 11111111a 00000000a abcabcabc aaaaaaaa zzzzzzzz qqqqqqqq computer1 internet1 database
   postgres postgresql database1 headwater watershed geoserver airflow1 airflow123 corestack india123 bharat123 mumbai123
   delhi123 krishna1 krishna123 ganesha1 hanuman1 jaihind1 jaihind123 india@123 admin@123 pass@123 pass@1234 welcome@123
   password@123 test@123 test@1234 qwerty@123 abcd@1234 abc@1234`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const MIN_LENGTH = 8;
const MAX_LENGTH = 1024;
const TOO_SIMILAR = 0.7;

/** Account details that a password must not resemble. */
export interface PasswordOwner {
  readonly username: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** NFKC form of a password, so that the form does not depend on the keyboard. */
export function normalizedPassword(password: string): string {
  return password.normalize('NFKC');
}

/** Problems of a new password, each with its remedy; empty for a valid password. */
export function passwordProblems(password: string, owner: PasswordOwner): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const weak = (isSo: boolean, message: string): void => {
    if (isSo) problems.push({ rule: 'weak', message });
  };
  const length = [...password].length;
  const isLong = length > MAX_LENGTH;
  weak(length < MIN_LENGTH, `This password is too short; use at least ${MIN_LENGTH} characters.`);
  if (isLong)
    problems.push({
      rule: 'too_long',
      message: `This password is too long; use at most ${MAX_LENGTH} characters.`,
      limit: MAX_LENGTH,
    });
  weak(!password.isWellFormed(), 'This password is not valid Unicode text; type it again.');
  weak(/^\d+$/.test(password), 'This password is entirely numeric; add letters.');
  weak(COMMON_PASSWORDS.has(password.toLowerCase()), 'This password is too common; choose a rarer one.');
  const attribute = isLong ? undefined : similarAttribute(password, owner);
  if (attribute !== undefined) weak(true, `This password is too similar to the ${attribute}; choose another one.`);
  return problems;
}

function similarAttribute(password: string, owner: PasswordOwner): string | undefined {
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ['username', owner.username],
    ['email address', owner.email],
    ['first name', owner.firstName],
    ['last name', owner.lastName],
  ];
  return attributes.find(
    ([, value]) => value !== undefined && isSimilar(password.toLowerCase(), value.toLowerCase()),
  )?.[0];
}

function isSimilar(password: string, value: string): boolean {
  const parts = [value, ...value.split(/[^\p{L}\p{N}]+/u)].filter((part) => part !== '');
  return parts.some((part) => similarity(password, part.slice(0, MAX_LENGTH)) >= TOO_SIMILAR);
}
