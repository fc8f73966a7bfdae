import { KeyStore } from '../src/keys/key-store.js';
import type { Io } from '../src/terminal/io.js';
import type { Prompter } from '../src/terminal/prompter.js';

const AVATAR = '0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3';

describe('an Avatar in an argument', () => {
  it.each([`"${AVATAR}"`, `\u200b${AVATAR}\u00a0`, `\u202a${AVATAR.slice(2)}\u202c\r`])(
    'is read without what nobody sees or means: %j',
    async (pasted) => {
      const keys = new KeyStore({ env: {} } as Io, {} as Prompter, 'none');

      expect(await keys.avatarOr(pasted)).toBe(AVATAR);
    },
  );
});
