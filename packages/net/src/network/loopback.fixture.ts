/** http addresses of `port` of this machine, with different spellings of the host. */
export const loopbackSpellings = (port: number): readonly string[] =>
  (
    '127.0.0.1 127.1 127.0.1 0x7f000001 0x7f.1 2130706433 017700000001 0177.0.0.01 127.0.0.1. 127.8.8.8 １２７.0.0.1 ' +
    '%31%32%37.0.0.1 0 0.0.0.0 [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::]'
  )
    .split(' ')
    .map((host) => `http://${host}:${port}`);
