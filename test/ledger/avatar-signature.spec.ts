import { IsOptional } from 'class-validator';
import { CompiledDto } from '../../src/http/validation/compiled-dto.js';
import { assertAvatarSigned, isAvatarSigned, SignatureField } from '../../src/ledger/avatar-signature.js';
import { anAvatar } from '../support/avatar.js';

const alice = anAvatar('alice');
const mallory = anAvatar('mallory');
const TEXT = '{"action":"create"}';

/** What is said of `signature` over TEXT; null where it is taken as the one of alice. */
function refusalOf(signature: string): string | null {
  try {
    assertAvatarSigned('extra.signature', signature, TEXT, alice.key);
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_signature' });
    return (error as Error).message;
  }
}

describe('a signature that is sent with a request', () => {
  it('is taken where the Avatar made it over the text', () => {
    expect(refusalOf(alice.sign(TEXT))).toBeNull();
  });

  it('is told its form where it is no signature, before anything is said of keys', () => {
    expect(refusalOf('hello')).toBe(
      'extra.signature must be a signature of 65 bytes in standard Base64, or in hex behind 0x; this is not Base64 (standard alphabet, with padding), a text of 5 characters.',
    );
  });

  it('is told whose it would be where another key made it', () => {
    expect(refusalOf(mallory.sign(TEXT))).toMatch(
      new RegExp(
        `^extra\\.signature was not made by the Avatar key over sign_payload with personal_sign; over that text it would be one of the key ${mallory.key.compressed} \\(address 0x[0-9a-fA-F]{40}\\)\\.$`,
      ),
    );
  });

  it('is told the mistake where the Avatar signed something else', () => {
    expect(refusalOf(alice.sign(`${TEXT}\n`))).toBe(
      'extra.signature was not made by the Avatar key over sign_payload with personal_sign: it was made by that key over the text with a line break behind it.',
    );
  });

  it('is told nothing of a key where it is of none', () => {
    // A field element whose point is not on the curve: nothing can be recovered from it.
    const ofNobody = Buffer.concat([Buffer.alloc(31), Buffer.of(5), Buffer.alloc(31), Buffer.of(1), Buffer.of(27)]);

    expect(refusalOf(ofNobody.toString('base64'))).toBe(
      'extra.signature was not made by the Avatar key over sign_payload with personal_sign.',
    );
  });
});

describe('a text', () => {
  it.each([
    ['by the Avatar', alice.sign(TEXT), true],
    ['by another key', mallory.sign(TEXT), false],
    ['over another text', alice.sign(`${TEXT}\n`), false],
    ['by what is no signature', 'hello', false],
    ['by too few bytes', Buffer.alloc(3).toString('base64'), false],
  ])('is told to be signed or not: %s', (_what, signature, isSigned) => {
    expect(isAvatarSigned(signature, TEXT, alice.key)).toBe(isSigned);
  });
});

describe('a member of a request that is a signature', () => {
  class Request {
    @IsOptional()
    @SignatureField()
    signature?: unknown;
  }
  const read = (signature: unknown) => CompiledDto.of(Request).read({ signature }).signature;

  it('is read as Base64 where it is hex behind 0x, and as it is where it is anything else', () => {
    const base64 = alice.sign(TEXT);
    const hex = `0x${Buffer.from(base64, 'base64').toString('hex')}`;

    expect([hex, base64, 'hello', 7].map(read)).toEqual([base64, base64, 'hello', 7]);
  });
});
