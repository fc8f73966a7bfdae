/** Notes by which the key of a log that has ended names the next one, each before a key. */
import { nextLogText } from '@signet/verify/internal/log';
import { writeVerifierKey } from '@signet/verify/log';
import { cosigner, noteSigner, observer } from '@signet/verify/log-sign';
import { Log, ORIGIN, SIGNED } from './log.mjs';
import { accepted, person, refused } from './people.mjs';

/**
 * @import { VerifierKey } from '@signet/verify/log'
 * @import { NoteSigner } from '@signet/verify/log-sign'
 */

const NEXT = 'signet.example/log-2';

/** Good notes, and each kind of forging. */
export function nextLogs() {
  const secret = person('log').secret;
  const own = noteSigner(ORIGIN, secret);
  const stranger = noteSigner(ORIGIN, person('other log').secret);
  const successor = noteSigner(NEXT, person('second log').secret);
  const [witness, watcher] = [cosigner(ORIGIN, secret), observer(ORIGIN, secret)];
  const [key, next] = [own, successor].map((signer) => writeVerifierKey(signer.key));
  const said = { log: ORIGIN, next, time: SIGNED };
  const text = nextLogText(said);
  /** @param {string} written @param {NoteSigner} [signer] */
  const sign = (written, signer = own) => `${written}\n${signer.sign(written)}`;
  /** @param {object} changes */
  const of = (changes) => sign(nextLogText({ ...said, ...changes }));
  /** @param {string | RegExp} from @param {string} to */
  const spelt = (from, to) => sign(text.replace(from, to));
  /** @param {string} id @param {string} note @param {object} [changes] */
  const good = (id, note, changes = {}) => ({ id, note, key, expected: accepted({ ...said, ...changes }) });
  /** @param {string} id @param {string} note @param {string} [by] */
  const bad = (id, note, by = key) => ({ id, note, key: by, expected: refused(['next_log']) });
  /** @param {{ key: VerifierKey }} signer */
  const named = (signer) => writeVerifierKey(signer.key);
  const cosigned = `${text}\n${witness.cosign(text, SIGNED)}`;
  return {
    description:
      'Notes by which the key of a log that has ended names the next log (docs/verify.md, section 12). `key` is that of the log that has ended, and `next` that of the next one; `time` is in UNIX seconds.',
    vectors: [
      good('names-the-next-log', sign(text)),
      good('with-the-signature-of-a-stranger', `${sign(text)}${stranger.sign(text)}`),
      good('signed-twice', `${sign(text)}${own.sign(text)}`),
      good('at-second-0', of({ time: 0 }), { time: 0 }),
      good('at-the-last-second', of({ time: 2 ** 53 - 1 }), { time: 2 ** 53 - 1 }),
      good('next-log-with-the-same-secret', of({ next: named(noteSigner(NEXT, secret)) }), {
        next: named(noteSigner(NEXT, secret)),
      }),
      bad('before-the-key-of-a-stranger', sign(text), named(stranger)),
      bad('before-the-key-of-the-next-log', sign(text), next),
      bad('before-a-text-that-is-no-key', sign(text), 'nothing'),
      bad('before-the-key-of-a-witness', cosigned, named(witness)),
      bad('before-the-key-of-an-observer', `${text}\n${watcher.sign(text, SIGNED)}`, named(watcher)),
      bad('signed-by-another-key', sign(text, stranger)),
      bad('signed-by-the-next-log', sign(text, successor)),
      bad('signed-by-a-witness', cosigned),
      bad('one-good-and-one-bad-line', `${sign(text)}${own.sign(`${text}more\n`)}`),
      bad('changed-after-it-was-signed', sign(text).replace(`time ${SIGNED}`, `time ${SIGNED + 1}`)),
      bad('of-another-log', of({ log: 'other.example/log' })),
      bad('names-the-log-itself', of({ next: key })),
      bad('names-another-key-for-the-log-itself', of({ next: named(stranger) })),
      bad('names-the-key-of-a-witness', of({ next: named(cosigner(NEXT, secret)) })),
      bad('names-the-key-of-an-observer', of({ next: named(observer(NEXT, secret)) })),
      bad('names-an-origin-alone', of({ next: NEXT })),
      bad('names-a-key-with-another-id', spelt(/\+[0-9a-f]{8}\+/, '+00000000+')),
      bad('names-a-key-with-a-blank-behind', of({ next: `${next} ` })),
      bad('names-no-key', of({ next: '' })),
      bad('time-with-a-leading-zero', spelt('time ', 'time 0')),
      bad('time-2-to-53', of({ time: '9007199254740992' })),
      bad('time-negative', of({ time: -1 })),
      bad('time-with-a-fraction', of({ time: `${SIGNED}.5` })),
      bad('time-of-5000-digits', of({ time: '9'.repeat(5000) })),
      bad('of-another-version', spelt('/1\n', '/2\n')),
      bad('without-a-time', spelt(/time .*\n/, '')),
      bad('with-one-line-more', sign(`${text}more 1\n`)),
      bad('with-lines-exchanged', spelt(/(log .*\n)(next .*\n)/, '$2$1')),
      bad('with-two-blanks', spelt('next ', 'next  ')),
      bad('with-a-tab', spelt('next ', 'next\t')),
      bad('with-a-carriage-return', sign(text).replaceAll('\n', '\r\n')),
      bad('without-signatures', text),
      bad('a-checkpoint', new Log(['one']).checkpoint()),
      bad('empty', ''),
    ],
  };
}
