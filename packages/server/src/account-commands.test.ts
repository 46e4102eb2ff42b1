import { expect, it } from 'vitest';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import { ConfigError, readConfig } from './config/read-config.ts';

// The commands are refused before a file or database is opened, so this folder need not exist.
const config = { ...readConfig({}), dataDir: '/nonexistent/headwater' };

it.each([
  ['create-superuser', ['--password', 'tall-river-42'], /^--password: .*Leave it out/],
  ['create-superuser', ['-password'], /^--password: /],
  ['change-password', ['--username=asha', '--password=tall-river-42'], /^--password: .*Leave it out/],
  ['change-password', ['--name', 'asha'], /usage: headwater change-password --username NAME/],
  ['disable-account', [], /^--username: is missing/],
  [
    'enable-account',
    ['--username', 'asha', '--email', 'a@example.org'],
    /^--email: is not an option of enable-account/,
  ],
])('%s refuses %j with a remedy', async (name, args, message) => {
  const command = ACCOUNT_COMMANDS.find((each) => each.name === name);
  const error: unknown = await command?.run(config, args).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).not.toContain('tall-river-42');
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
});
