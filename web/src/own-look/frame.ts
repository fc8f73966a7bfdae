/**
 * The document of `/look-frame`, in which looks are made: it has an origin of its own and a policy that lets it ask any
 * host by https, which the page's own policy does not. It takes one claim, builds addresses by the verifiers alone, and
 * asks no host before the visitor agreed. Where the host follows from what was claimed, as in the Fediverse and the
 * DNS, only a press in this very document counts: a script in the page could otherwise choose a host and send to it
 * what it likes.
 */
import { createLooker, type Look, type LookQuestion, whomToAsk } from '@signet/look/browser';
import { verifyLink } from '@signet/verify';
import type { FrameMessage, LookRequest } from './messages.js';
import { showConsent } from './consent.js';
import { loadTexts } from './texts.js';

const PAGE = new URL(location.href).origin;

let isTaken = false;

addEventListener('message', ({ data, origin, ports, source }) => {
  const [port] = ports;
  if (isTaken || source !== parent || parent === window || origin !== PAGE || !port) return;
  isTaken = true;
  const tell = (message: FrameMessage) => port.postMessage(message);
  tell({ kind: 'ready' });
  void serve(data as LookRequest, tell).catch(() => tell({ kind: 'look', look: notMade('This look failed.') }));
});

async function serve({ bound, language, agreed }: LookRequest, tell: (message: FrameMessage) => void): Promise<void> {
  const { avatar, link } = bound;
  if (!verifyLink(link, { avatar }).ok) {
    return tell({ kind: 'look', look: notMade('The link is not signed by this key, so nothing was asked.') });
  }
  const question = whomToAsk(link.platform, link.identity);
  const isAgreed = question?.hosts.every((host) => agreed.includes(host)) === true;
  if (question && needsPress(question, isAgreed)) {
    const texts = await loadTexts(language);
    const onHeight = (height: number) => tell({ kind: 'height', height });
    const hasAgreed = await showConsent({ question, texts, language, isShort: isAgreed, onHeight });
    if (!hasAgreed) return tell({ kind: 'declined' });
  }
  if (question) tell({ kind: 'asking', hosts: question.hosts });
  tell({ kind: 'look', look: await createLooker().look(bound) });
}

function needsPress({ hosts, reveals }: LookQuestion, isAgreed: boolean): boolean {
  return hosts.length > 0 && !(isAgreed && reveals === 'platform');
}

function notMade(reason: string): Look {
  return {
    ...{ state: 'could_not_look', by: 'you', at: Math.floor(Date.now() / 1000), reason, problem: 'unusable' },
    ...{ retryAfterSeconds: null, evidence: null, accountId: '', isSameSignature: null },
  };
}
