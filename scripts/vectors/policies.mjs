/** Keys of logs and witnesses, and policies. */
import { createHash } from 'node:crypto';
import { verifierKey, writeVerifierKey } from '@signet/verify/log';
import { Log, logAlone, policyOf, witnesses, witnessLines } from './log.mjs';
import { accepted, base64, hex, refused } from './people.mjs';

/**
 * @import { VerifierKey } from '@signet/verify/log'
 * @import { Expected } from './types.d.ts'
 */

/** Keys of logs and witnesses. */
export function verifierKeys() {
  const log = new Log([]);
  const { key } = log.signer;
  const [witness] = witnesses;
  /** @param {string} id @param {string} text @param {Expected} expected */
  const vector = (id, text, expected) => ({ id, text, expected });
  /** @param {string} id @param {VerifierKey} of */
  const good = (id, of) =>
    vector(
      id,
      writeVerifierKey(of),
      accepted({ name: of.name, key_id: of.id, type: of.type, public_key: hex(of.publicKey) }),
    );
  /** @param {string} id @param {string} text */
  const bad = (id, text) => vector(id, text, refused(['verifier_key']));
  const [name, keyId, ...rest] = log.key.split('+');
  const bytes = rest.join('+');
  /** @param {string} other */
  const named = (other) => writeVerifierKey({ ...verifierKey('x', 1, key.publicKey), name: other });
  /** @param {string} publicKey */
  const of = (publicKey) =>
    writeVerifierKey(verifierKey('small.example', 1, Uint8Array.from(Buffer.from(publicKey, 'hex'))));
  /** @param {string} under @param {Uint8Array} prefix */
  const ofBytes = (under, prefix) => {
    const material = Buffer.concat([prefix, key.publicKey]);
    const hash = createHash('sha256').update(`${under}\n`).update(material).digest('hex');
    return `${under}+${hash.slice(0, 8)}+${base64(material)}`;
  };
  return {
    description:
      'Keys of logs (type 1), witnesses (type 4) and observers (type 255) as text: C2SP signed-note 1.0, verifier keys.',
    vectors: [
      good('log', key),
      good('witness', witness.key),
      good('observer', verifierKey('observer.example/seen', 255, key.publicKey)),
      good('name-outside-ascii', verifierKey('zoë.example/𝒳', 1, key.publicKey)),
      good('name-with-a-zero-width-no-break-space', verifierKey('a\ufeffb', 1, key.publicKey)),
      bad('empty', ''),
      bad('another-id', `${name}+00000000+${bytes}`),
      bad('id-in-capitals', `${name}+${keyId.toUpperCase()}+${bytes}`),
      bad('another-name', `x${name}+${keyId}+${bytes}`),
      bad('without-a-name', `+${keyId}+${bytes}`),
      bad('name-with-a-blank', named('a b')),
      bad('name-with-a-no-break-space', named('a\u00a0b')),
      bad('type-2', `${name}+${keyId}+${base64(Buffer.concat([Buffer.of(2), key.publicKey]))}`),
      bad('type-255-of-another-name', ofBytes('other.example/seen', Buffer.from('\xffsignet-seen/v2\0', 'latin1'))),
      bad('type-255-without-a-name', ofBytes('other.example/seen', Buffer.of(255))),
      bad('31-bytes', `${name}+${keyId}+${base64(Buffer.concat([Buffer.of(1), key.publicKey.subarray(1)]))}`),
      bad('base64-without-padding', log.key.replace(/=+$/, '').slice(0, -1)),
      bad('blank-behind', `${log.key} `),
      bad('small-order-0', of('00'.repeat(32))),
      bad('small-order-1', of(`01${'00'.repeat(31)}`)),
      bad('small-order-2', of(`ec${'ff'.repeat(30)}7f`)),
      bad('small-order-8', of('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')),
      bad('small-order-8-other-sign', of('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85')),
      bad('small-order-8-other-point', of('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')),
      bad('y-above-the-prime', of(`f0${'ff'.repeat(30)}7f`)),
      bad('y-without-a-point', of(`02${'00'.repeat(31)}`)),
    ],
  };
}

/** Policies. */
export function policies() {
  const log = new Log([]);
  const [w1, w2] = witnessLines;
  const key2 = w2.split(' ')[2];
  /** @param {string} id @param {string[]} lines */
  const good = (id, lines) => ({ id, policy: lines.join('\n'), expected: accepted() });
  /** @param {string} id @param {string[]} lines */
  const bad = (id, lines) => ({ id, policy: lines.join('\n'), expected: refused(['policy']) });
  return {
    description: 'Policies (C2SP tlog-policy): which can be read.',
    vectors: [
      { id: 'two-of-three', policy: policyOf(log), expected: accepted() },
      { id: 'log-alone', policy: logAlone(log), expected: accepted() },
      good('comments-tabs-and-urls', [
        '# hello',
        '',
        `  log\t${log.key}  https://signet.example/log`,
        `${w1} https://w.example`,
        ' # quorum none',
        'quorum w1',
      ]),
      good('groups-of-groups', [w1, w2, 'group a any w1', 'group b all a w2', 'quorum b']),
      good('quorum-without-logs', ['quorum none']),
      bad('empty', ['']),
      bad('without-quorum', [`log ${log.key}`]),
      bad('two-quorums', ['quorum none', 'quorum none']),
      bad('quorum-of-two-names', [w1, w2, 'quorum w1 w2']),
      bad('quorum-of-an-unknown-name', ['quorum w1']),
      bad('quorum-above-the-definition', ['quorum w1', w1]),
      bad('unknown-keyword', ['mirror x', 'quorum none']),
      good('line-ends-of-windows', [`${w1}\r`, 'quorum w1\r']),
      good('behind-a-byte-order-mark', [`\ufeff${w1}`, 'quorum w1']),
      bad('behind-two-byte-order-marks', [`\ufeff\ufeff${w1}`, 'quorum w1']),
      bad('a-carriage-return', [w1.replace('w1 ', 'w1\r'), 'quorum w1']),
      bad('two-carriage-returns', [`${w1}\r\r`, 'quorum w1']),
      bad('witness-named-none', [w1.replace('w1', 'none'), 'quorum none']),
      bad('witness-without-a-key', ['witness w1', 'quorum none']),
      bad('witness-with-the-key-of-a-log', [`witness w1 ${log.key}`, 'quorum w1']),
      bad('log-with-the-key-of-a-witness', [`log ${key2}`, 'quorum none']),
      bad('log-with-a-wrong-id', [`log ${log.key.replace(/\+[0-9a-f]{8}\+/, '+00000000+')}`, 'quorum none']),
      bad('log-twice', [`log ${log.key}`, `log ${log.key}`, 'quorum none']),
      bad('log-with-three-words', [`log ${log.key} https://a.example b`, 'quorum none']),
      bad('a-name-twice', [w1, w2.replace('w2', 'w1'), 'quorum w1']),
      bad('a-key-twice', [w1, w1.replace('w1', 'w2'), 'quorum w1']),
      bad('group-of-unknown-members', ['group g any w1', 'quorum g']),
      bad('group-with-threshold-0', [w1, 'group g 0 w1', 'quorum g']),
      bad('group-with-a-threshold-too-high', [w1, 'group g 2 w1', 'quorum g']),
      bad('group-with-a-threshold-of-words', [w1, 'group g most w1', 'quorum g']),
      bad('group-without-members', [w1, 'group g all', 'quorum none']),
      bad('a-member-of-two-groups', [w1, 'group g any w1', 'group h any w1', 'quorum h']),
      bad('a-member-twice', [w1, 'group g all w1 w1', 'quorum g']),
      bad('group-with-the-name-of-a-witness', [w1, w2, 'group w1 any w2', 'quorum w1']),
    ],
  };
}
