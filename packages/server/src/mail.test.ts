import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createMailSender } from './mail.ts';

const ANSWERS: Readonly<Record<string, string>> = {
  EHLO: '250 mail.example',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  QUIT: '221 bye',
};

async function mailServer(answers = ANSWERS): Promise<{ url: string; dialogue: () => string; close: () => void }> {
  let dialogue = '';
  const talk = (socket: Socket): void => {
    let isData = false;
    socket.write('220 mail.example\r\n');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      dialogue += text;
      if (isData) {
        isData = !dialogue.endsWith('\r\n.\r\n');
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
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `smtp://127.0.0.1:${address.port}`, dialogue: () => dialogue, close: () => void server.close() };
}

const MAIL = { to: 'asha@example.org', subject: 'A new password', text: 'गाँव\nhttp://localhost/x\n' };

it('sends a mail by SMTP with its sender, recipient, subject and text', async () => {
  const server = await mailServer();
  await createMailSender({ url: server.url, from: 'Headwater <service@example.org>' }).send(MAIL);
  server.close();
  expect(server.dialogue()).toContain('MAIL FROM:<service@example.org>');
  expect(server.dialogue()).toContain('RCPT TO:<asha@example.org>');
  expect(server.dialogue()).toMatch(/^Subject: A new password\r$/m);
  expect(server.dialogue()).toMatch(/^From: Headwater <service@example.org>\r$/m);
}, 60_000);

it('rejects if the server refuses the mail, and if there is no server', async () => {
  const server = await mailServer({ ...ANSWERS, RCPT: '550 unknown user' });
  const sender = createMailSender({ url: server.url, from: 'service@example.org' });
  await expect(sender.send(MAIL)).rejects.toMatchObject({ code: 'EENVELOPE' });
  server.close();
  const nowhere = createMailSender({ url: 'smtp://127.0.0.1:1', from: 'service@example.org' });
  await expect(nowhere.send(MAIL)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
}, 60_000);
