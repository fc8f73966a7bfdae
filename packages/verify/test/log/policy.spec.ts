import { hasDisjointQuorums, isQuorumMet } from '../../src/internal/log.js';
import { judgeCheckpoint, PolicyError, readCheckpoint, readPolicy, writeVerifierKey } from '../../src/log.js';
import { cosigner, noteSigner, signCheckpoint } from '../../src/log-sign.js';

const seedOf = (fill: number) => new Uint8Array(32).fill(fill);
const log = noteSigner('signet.example/log', seedOf(1));
const witnesses = [1, 2, 3, 4, 5].map((n) => cosigner(`witness.example/w${n}`, seedOf(16 + n)));
const vkey = (n: number) => writeVerifierKey(witnesses[n - 1]!.key);
const logKey = writeVerifierKey(log.key);
const head = { origin: 'signet.example/log', size: 7, root: new Uint8Array(32).fill(9) };
const text = signCheckpoint(head, log);

const TWO_LEVELS = `
# Two operators.
log ${logKey} https://signet.example/log
witness X1 ${vkey(1)} https://w1.example/
witness X2 ${vkey(2)}
\twitness X3 ${vkey(3)}
group X 2 X1 X2 X3
witness Y1 ${vkey(4)}
witness Y2 ${vkey(5)}
group Y any Y1 Y2
group both all X Y
  quorum both
`;

describe('two sets of witnesses without a common member', () => {
  const withQuorum = (groups: string) =>
    readPolicy([1, 2, 3, 4, 5].map((n) => `witness w${n} ${vkey(n)}\n`).join('') + groups);

  it.each([
    ['quorum none', false],
    ['quorum w1', false],
    ['group g any w1 w2\nquorum g', true],
    ['group g all w1 w2\nquorum g', false],
    ['group g 2 w1 w2 w3\nquorum g', false],
    ['group g 2 w1 w2 w3 w4\nquorum g', true],
    ['group g 3 w1 w2 w3 w4 w5\nquorum g', false],
    // One group that can agree with both sides, and a witness for each side.
    ['group a any w1 w2\ngroup g 2 a w3 w4\nquorum g', true],
    ['group a any w1 w2\ngroup g 2 a w3\nquorum g', false],
    ['group a any w1 w2\ngroup b any w3 w4\ngroup g all a b\nquorum g', true],
    ['group a 2 w1 w2 w3\ngroup g any a w4\nquorum g', true],
  ])('can both meet, or not: %j', (groups, expected) => {
    const policy = withQuorum(groups);
    expect(hasDisjointQuorums(policy)).toBe(expected);

    const names = policy.witnesses.map(({ name }) => name);
    const sides = Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, at) => (bits >> at) & 1));
    const isFound = sides.some((side) => {
      const others = names.filter((name) => !side.includes(name));
      return isQuorumMet(policy, new Set(side)) && isQuorumMet(policy, new Set(others));
    });
    expect(isFound && policy.quorum !== null).toBe(expected);
  });
});

describe('a policy', () => {
  const policy = readPolicy(TWO_LEVELS);

  it.each([
    [['X1', 'X2', 'Y1'], true],
    [['X1', 'X3', 'Y2'], true],
    [['X1', 'X2', 'X3'], false],
    [['X1', 'Y1', 'Y2'], false],
    [[], false],
  ])('with groups in groups says of %j: %s', (names, expected) => {
    expect(isQuorumMet(policy, new Set(names))).toBe(expected);
  });

  it('holds the keys and addresses', () => {
    expect(policy.logs[0]).toMatchObject({ key: log.key, url: 'https://signet.example/log' });
    expect(policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
      ['X1', 'https://w1.example/'],
      ['X2', null],
      ['X3', null],
      ['Y1', null],
      ['Y2', null],
    ]);
  });

  it('may ask for nobody', () => {
    expect(isQuorumMet(readPolicy('quorum none\n'), new Set())).toBe(true);
  });

  it.each([
    ['', /quorum/],
    ['quorum X1', /line 1.*not defined/],
    [`witness none ${vkey(1)}\nquorum none`, /line 1.*none/],
    [`witness A ${vkey(1)}\nwitness A ${vkey(2)}\nquorum A`, /line 2.*defined already/],
    [`witness A ${vkey(1)}\nwitness B ${vkey(1)}\nquorum A`, /line 2.*another witness/],
    [`log ${logKey}\nlog ${logKey}\nquorum none`, /line 2.*another log/],
    [`witness A ${vkey(1)}\ngroup G 2 A\nquorum G`, /line 2.*at least that many/],
    [`witness A ${vkey(1)}\ngroup G 0 A\nquorum G`, /line 2/],
    [`witness A ${vkey(1)}\ngroup G 1\nquorum G`, /line 2/],
    [`witness A ${vkey(1)}\ngroup G any A\ngroup H any A\nquorum G`, /line 3.*member already/],
    [`witness A ${vkey(1)}\ngroup G all A A\nquorum G`, /line 2.*member already/],
    [`group G any A\nwitness A ${vkey(1)}\nquorum G`, /line 1.*not defined/],
    ['quorum none\nquorum none', /line 2.*already/],
    [`witness A ${logKey}\nquorum A`, /line 1.*type 4/],
    [`log ${vkey(1)}\nquorum none`, /line 1.*type 1/],
    [`log ${logKey.replace('+', '+0')}\nquorum none`, /line 1/],
    ['mirror A\nquorum none', /line 1.*"mirror"/],
    ['quorum none\r\r\n', /line 1.*control character/],
    [`log ${logKey} https://a.example b\nquorum none`, /line 1/],
  ])('is refused with its line: %j', (policyText, expected) => {
    expect(() => readPolicy(policyText)).toThrow(PolicyError);
    expect(() => readPolicy(policyText)).toThrow(expected);
  });

  it('of 40 logs, witnesses and groups is read', () => {
    const lines = Array.from({ length: 40 }, (_, n) => {
      const [a, b] = [noteSigner(`log${n}.example`, seedOf(60 + n)), cosigner(`w${n}.example`, seedOf(120 + n))];
      return `log ${writeVerifierKey(a.key)}\nwitness w${n} ${writeVerifierKey(b.key)}\ngroup g${n} any w${n}`;
    });

    expect(readPolicy(`${lines.join('\n')}\nquorum g39`).witnesses).toHaveLength(40);
  });
});

describe('a checkpoint before a policy', () => {
  const policy = readPolicy(TWO_LEVELS);
  const body = text.slice(0, text.indexOf('\n\n') + 1);
  const cosigned = (numbers: number[], time = 1_700_000_000) =>
    readCheckpoint(text + numbers.map((n) => witnesses[n - 1]!.cosign(body, time)).join(''))!;

  it('names the log and who signed', () => {
    const verdict = judgeCheckpoint(cosigned([1, 3, 5]), policy);

    expect(verdict.log?.url).toBe('https://signet.example/log');
    expect(verdict.cosignatures.map(({ witness }) => witness)).toEqual(['X1', 'X3', 'Y2']);
    expect(verdict.isQuorumMet).toBe(true);
  });

  it('is not enough with the cosignature of another checkpoint', () => {
    const other = witnesses[0]!.cosign(body.replace('\n7\n', '\n8\n'), 1_700_000_000);
    const verdict = judgeCheckpoint(readCheckpoint(text + other + witnesses[1]!.cosign(body, 5))!, policy);

    expect(verdict.cosignatures.map(({ witness }) => witness)).toEqual(['X2']);
    expect(verdict.isQuorumMet).toBe(false);
  });

  it('counts no cosignature from the future', () => {
    const checkpoint = cosigned([1, 2, 4], 2_000);

    expect(judgeCheckpoint(checkpoint, policy, { now: 1_700 }).isQuorumMet).toBe(true);
    expect(judgeCheckpoint(checkpoint, policy, { now: 1_699 }).cosignatures).toEqual([]);
  });

  it('of an origin whose key the policy does not have is signed by nobody', () => {
    const foreign = signCheckpoint({ ...head, origin: 'other.example/log' }, log);

    expect(judgeCheckpoint(readCheckpoint(foreign)!, policy).log).toBeNull();
  });
});
