/** URLs with some spellings of the address of this machine. The tests of `@headwater/net` use all spellings. */
export const loopbackSpellings = (port: number): readonly string[] =>
  ['127.0.0.1', '127.1', '0x7f000001', '2130706433', '[::1]', '[::ffff:127.0.0.1]'].map(
    (host) => `http://${host}:${port}`,
  );
