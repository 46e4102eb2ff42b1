import { describe, expect, it } from 'vitest';
import { passwordProblems } from './password-rules.ts';

const owner = {
  username: 'test_user_0042',
  email: 'asha.devi@example.org',
  firstName: 'Asha',
  lastName: 'Bhattacharya',
};

const words = (password: string) =>
  passwordProblems(password, owner)
    .map(({ message }) => message)
    .join(' ');

describe('passwordProblems', () => {
  it.each(['tidal-meadow-41', 'ein Sätzchen', 'गाँव का तालाब', 'p'.repeat(9) + 'q8#', '🌾🌾🌾🌾🌾🌾🌾🌾'])(
    'accepts %j',
    (password) => {
      expect(passwordProblems(password, owner)).toEqual([]);
    },
  );

  it.each([
    ['a1b2c3d', 'too short'],
    ['🌾🌾🌾🌾', 'too short'],
    ['x'.repeat(1025), 'too long'],
    ['83920174655', 'numeric'],
    ['Password123', 'too common'],
    ['CHANGEME123', 'too common'],
    ['test_user_0042', 'the username'],
    ['Test_User_0043', 'the username'],
    ['bhattacharya1', 'the last name'],
    ['asha.devi@example', 'the email address'],
    ['meadow\ud800-41', 'Unicode'],
  ])('refuses %j: %s', (password, reason) => {
    expect(words(password)).toContain(reason);
  });
});
