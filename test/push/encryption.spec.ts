import { createECDH, createPublicKey, verify } from 'node:crypto';
import { encryptPush, MOST_BYTES } from '../../src/push/push-encryption.js';
import { newVapidKey, VapidKey } from '../../src/push/vapid.js';
import { aBrowser } from './stand-in-browser.js';

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** RFC 8291, section 5 and appendix A. */
const RFC_8291 = {
  text: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  receiverPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

/** RFC 8292, section 2.4. */
const RFC_8292 = {
  claims: { aud: 'https://push.example.net', exp: 1453523768, sub: 'mailto:push@example.com' },
  token:
    'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.' +
    'i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA',
  key: 'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs',
};

/** Whether a token of JWS was signed by the key, as Node's own verification says. */
function isSignedBy(token: string, key: string): boolean {
  const point = bytes(key);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y! };
  const signed = token.slice(0, token.lastIndexOf('.'));
  const signature = bytes(token.slice(signed.length + 1));
  const publicKey = createPublicKey({ format: 'jwk', key: jwk });
  return verify('sha256', Buffer.from(signed), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
}

describe('the encryption of pushes', () => {
  it('makes of the texts and keys of RFC 8291 the message that stands there', () => {
    const sender = createECDH('prime256v1');
    sender.setPrivateKey(bytes(RFC_8291.senderPrivate));
    const keys = { p256dh: bytes(RFC_8291.p256dh), auth: bytes(RFC_8291.auth) };

    const body = encryptPush(Buffer.from(RFC_8291.text), keys, { salt: bytes(RFC_8291.salt), sender, paddedTo: 0 });

    expect(body.toString('base64url')).toBe(RFC_8291.body);
  });

  it('is read by the stand-in of a browser, which reads the message of the RFC too', () => {
    const { p256dh, auth, receiverPrivate } = RFC_8291;
    expect(aBrowser({ auth: bytes(auth), privateKey: bytes(receiverPrivate) }).keys).toEqual({ p256dh, auth });
    const browser = aBrowser({ auth: bytes(auth), privateKey: bytes(receiverPrivate) });
    expect(browser.read(bytes(RFC_8291.body))).toBe(RFC_8291.text);

    const keys = { p256dh: bytes(p256dh), auth: bytes(auth) };
    for (const length of [0, 1, 255, 256, 700, MOST_BYTES]) {
      const text = 'a'.repeat(length);
      expect(browser.read(encryptPush(Buffer.from(text), keys))).toBe(text);
    }
  });

  it('hides the length of a short text, uses another key each time, and makes no body of more than 4096 bytes', () => {
    const keys = { p256dh: bytes(RFC_8291.p256dh), auth: bytes(RFC_8291.auth) };
    const sizeOf = (length: number) => encryptPush(Buffer.alloc(length, 'a'), keys).length;

    expect([sizeOf(1), sizeOf(200), sizeOf(255)]).toEqual([sizeOf(0), sizeOf(0), sizeOf(0)]);
    expect(sizeOf(MOST_BYTES)).toBeLessThanOrEqual(4096);
    expect(() => sizeOf(MOST_BYTES + 1)).toThrow(RangeError);
    const senders = [1, 2].map(() => encryptPush(Buffer.from('x'), keys).subarray(21, 86).toString('hex'));
    expect(senders[0]).not.toBe(senders[1]);
  });

  it('refuses a key that is no point', () => {
    const keys = { p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16) };

    expect(() => encryptPush(Buffer.from('x'), keys)).toThrow();
  });
});

describe('what identifies a server to push services', () => {
  it('is the token of RFC 8292 but for its signature, which two signers never make alike', () => {
    const key = new VapidKey(newVapidKey(), RFC_8292.claims.sub);
    const token = key.token(RFC_8292.claims);

    expect(isSignedBy(RFC_8292.token, RFC_8292.key)).toBe(true);
    expect(token.slice(0, token.lastIndexOf('.'))).toBe(RFC_8292.token.slice(0, RFC_8292.token.lastIndexOf('.')));
    expect(isSignedBy(token, key.publicKey)).toBe(true);
    expect(isSignedBy(token, RFC_8292.key)).toBe(false);
  });

  it('is signed for one origin, ends within a day, and is made anew in time', () => {
    const key = new VapidKey('11'.repeat(32), 'https://id.example.org');
    const now = new Date('2026-11-27T08:00:00Z');
    const claimsAt = (origin: string, hours: number) => {
      const header = key.authorization(origin, new Date(now.getTime() + hours * 3600_000));
      const [, token, k] = /^vapid t=(.+), k=(.+)$/.exec(header)!;
      expect(k).toBe(key.publicKey);
      expect(isSignedBy(token!, k!)).toBe(true);
      return { ...JSON.parse(bytes(token!.split('.')[1]!).toString()), token } as { exp: number; token: string };
    };

    const first = claimsAt('https://push.alice.dev', 0);
    expect(first).toMatchObject({ aud: 'https://push.alice.dev', sub: 'https://id.example.org' });
    expect(first.exp - now.getTime() / 1000).toBe(12 * 3600);
    expect(claimsAt('https://push.alice.dev', 5).token).toBe(first.token);
    expect(claimsAt('https://push.alice.dev', 7).exp).toBeGreaterThan(first.exp);
    expect(claimsAt('https://push.bob.dev', 0)).toMatchObject({ aud: 'https://push.bob.dev' });
    // A clock that went back: the token would seem to end in more than a day.
    expect(claimsAt('https://push.alice.dev', -30).exp).toBeLessThan(first.exp);
  });
});
