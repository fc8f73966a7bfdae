import { PlatformUnavailableError } from '@signet/look';
import { loadEnvironment } from '../../src/config/environment.js';
import type { PlatformVerifier, ProofClaim, ValidVerdict, Verdict } from '../../packages/look/src/platform-verifier.js';
import { PlatformService } from '../../src/platform/platform.service.js';
import { WebClient } from '../../src/outbound/web-client.js';
import { aClaim } from '../../packages/look/test/verifiers/describe-verifier.js';

const environment = loadEnvironment({});
const web = new WebClient(environment);
afterAll(() => web.stop());

const claim = aClaim({ platform: 'somewhere', identity: 'alice', proofLocation: '1' });
const bound: ProofClaim = { ...claim, accountId: '42', isRecheck: true };
const evidence = { url: 'https://somewhere.example/1', sha256: 'a'.repeat(64), matchedText: 'Sig: x' };

/** A platform that answers whatever it is asked with `answer`. */
function aVerifier(answer: Verdict, platform = 'somewhere'): PlatformVerifier {
  return {
    platform,
    publishes: 'post',
    guide: { label: 'Somewhere', identityPattern: '.', identityExample: 'alice', locationForms: ['1'], steps: [] },
    canonicalIdentity: (text) => text.toLowerCase(),
    postContent: () => ({ default: '%SIG_BASE64%' }),
    verify: () => Promise.resolve(answer),
  };
}

const serviceOf = (...verifiers: PlatformVerifier[]) => new PlatformService(verifiers, environment, web);
const verdictOn = (answer: Verdict, asked = claim) => {
  const verifier = aVerifier(answer);
  return serviceOf(verifier).verify(verifier, asked);
};
/** The verdict of `verifyMany` on one claim. */
const verdictAmongMany = async (answer: Verdict, asked = claim) => {
  const verifier: PlatformVerifier = { ...aVerifier(answer), verifyMany: () => Promise.resolve([answer]) };
  const [outcome] = await serviceOf(verifier).verifyMany(verifier, [asked]);
  return outcome!;
};

it('refuses to start with two verifiers of one name', () => {
  const verifier = aVerifier({ valid: true });

  expect(() => serviceOf(verifier, aVerifier({ valid: true }, 'elsewhere'), verifier)).toThrow('Two verifiers');
});

// Names of platforms stand in answers without escapes.
it.each(['', 'pen"pals', 'pen\\pals', 'pen\npals', 'Pen Pals', 'p'.repeat(65)])(
  'refuses the name %j of a platform',
  (name) => {
    expect(() => serviceOf(aVerifier({ valid: true }, name))).toThrow('cannot name a platform');
  },
);

describe('the account of a proof that was bound before', () => {
  it.each([
    ['the same', { valid: true, accountId: '42' } as const],
    ['not named this time', { valid: true } as const],
  ])('leaves the proof valid when it is %s', async (_what, answer) => {
    expect(await verdictOn(answer, bound)).toEqual(answer);
    expect(await verdictAmongMany(answer, bound)).toEqual(answer);
  });

  it('ends the proof when it is another one', async () => {
    const other: Verdict = { valid: true, accountId: '43' };
    const refusal = { valid: false, reason: expect.stringContaining('another account') };

    expect(await verdictOn(other, bound)).toEqual(refusal);
    expect(await verdictAmongMany(other, bound)).toEqual(refusal);
  });

  it.each(['', ' ', '4 2', '42\0', '4\n2', '\u212a', 'ä', '\ud800', 'x'.repeat(129), 'x'.repeat(1_000_000)])(
    'is not taken from an answer that names it in no usable form',
    async (accountId) => {
      const answer: Verdict = { valid: true, accountId };

      await expect(verdictOn(answer)).rejects.toThrow(PlatformUnavailableError);
      await expect(verdictOn(answer, bound)).rejects.toThrow(PlatformUnavailableError);
      expect(await verdictAmongMany(answer, bound)).toBeInstanceOf(PlatformUnavailableError);
    },
  );

  it.each(['1', '9abc123def', 'AQj3BoAIDiUOXgtVVw', '01H8XGJWBWBAQ4', 'https://a.example/users/1', 'x'.repeat(128)])(
    'is kept as it is: %s',
    async (accountId) => {
      expect(await verdictOn({ valid: true, accountId })).toEqual({ valid: true, accountId });
    },
  );
});

describe('whatever a platform says', () => {
  it('is bounded where it is stored and answered', async () => {
    const long = 'x\u{1f600}'.repeat(500_000);

    const refused = await verdictOn({ valid: false, reason: long });
    const accepted = (await verdictOn({
      valid: true,
      extra: { chain: long, block: 7 },
      evidence: { ...evidence, url: long, matchedText: long },
    })) as ValidVerdict;

    expect(refused).toEqual({ valid: false, reason: expect.stringMatching(/^.{1,500}$/su) });
    expect(accepted.evidence!.url.length).toBeLessThanOrEqual(2048);
    expect(Buffer.byteLength(accepted.evidence!.matchedText)).toBeLessThanOrEqual(4096);
    expect(accepted.evidence!.matchedText).toMatch(/^(?:x|\u{1f600})+$/u);
    expect(accepted.extra).toEqual({ chain: expect.any(String), block: 7 });
    expect((accepted.extra!['chain'] as string).length).toBeLessThanOrEqual(8192);
  });

  it('holds nothing that a database or a terminal could stumble over', async () => {
    const nasty = 'a\0b\u001b[31mc\ud800d\te\r\nf\u0085g';

    const refused = await verdictOn({ valid: false, reason: nasty });
    const accepted = await verdictOn({ valid: true, evidence: { ...evidence, url: nasty, matchedText: nasty } });

    const oneLine = 'a\ufffdb\ufffd[31mc\ufffdd\ufffde\ufffd\ufffdf\ufffdg';
    expect(refused).toEqual({ valid: false, reason: oneLine });
    expect(accepted).toMatchObject({
      evidence: { url: oneLine, matchedText: 'a\ufffdb\ufffd[31mc\ufffdd\te\r\nf\ufffdg' },
    });
  });
});

describe('a name with a letter whose lower case is an ASCII letter', () => {
  it.each(['mi\u212ae', '\u212aELVIN', '\u0130stanbul'])('is not an identity on any platform: %j', (text) => {
    const verifier = aVerifier({ valid: true });
    const service = serviceOf(verifier);

    expect(() => service.canonicalIdentity(verifier, text)).toThrow(
      expect.objectContaining({ code: 'invalid_identity' }),
    );
    expect(service.findIdentity(verifier, text)).toBeNull();
  });

  it('is one of two: no other character lower-cases into ASCII letters', () => {
    const found = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => character > '\u007f' && /[a-z]/.test(character.toLowerCase()),
    );

    expect(found).toEqual(['\u0130', '\u212a']);
  });
});
