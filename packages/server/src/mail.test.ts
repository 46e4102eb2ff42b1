import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createMailSender } from './mail.ts';

/** Answers to the words of SMTP that a sender says, by their first letters. */
const ANSWERS: Readonly<Record<string, string>> = {
  EHLO: '250 mail.example',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  QUIT: '221 bye',
};

/** A mail server on a port of this machine that takes one mail and keeps what was said. */
async function mailServer(answers = ANSWERS): Promise<{ url: string; said: () => string; close: () => void }> {
  let said = '';
  const talk = (socket: Socket): void => {
    let isData = false;
    socket.write('220 mail.example\r\n');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      said += text;
      if (isData) {
        isData = !said.endsWith('\r\n.\r\n');
        if (!isData) socket.write('250 taken\r\n');
        return;
      }
      const answer = answers[text.slice(0, 4)] ?? '500 what?';
      isData = answer.startsWith('354');
      socket.write(`${answer}\r\n`);
    });
  };
  const server = createServer(talk).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return { url: `smtp://127.0.0.1:${address.port}`, said: () => said, close: () => void server.close() };
}

const MAIL = { to: 'asha@example.org', subject: 'A new password', text: 'गाँव\nhttp://localhost/x\n' };

it('hands a mail over by SMTP: from, to, subject and text as given', async () => {
  const server = await mailServer();
  await createMailSender({ url: server.url, from: 'Headwater <service@example.org>' }).send(MAIL);
  server.close();
  expect(server.said()).toContain('MAIL FROM:<service@example.org>');
  expect(server.said()).toContain('RCPT TO:<asha@example.org>');
  expect(server.said()).toMatch(/^Subject: A new password\r$/m);
  expect(server.said()).toMatch(/^From: Headwater <service@example.org>\r$/m);
}, 60_000);

it('rejects where the server does not take it, and where none is there', async () => {
  const server = await mailServer({ ...ANSWERS, RCPT: '550 nobody here' });
  const sender = createMailSender({ url: server.url, from: 'service@example.org' });
  await expect(sender.send(MAIL)).rejects.toMatchObject({ code: 'EENVELOPE' });
  server.close();
  const nowhere = createMailSender({ url: 'smtp://127.0.0.1:1', from: 'service@example.org' });
  await expect(nowhere.send(MAIL)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
}, 60_000);
