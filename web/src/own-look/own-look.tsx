/** What this browser sees by itself, beside what the server says; nothing is asked before the visitor agreed. */
import { type Bound, type Look, whomToAsk } from '@signet/look/browser';
import type { SignedLink } from '@signet/verify';
import { useEffect, useState } from 'preact/hooks';
import { t, useLanguage } from '../i18n/i18n.js';
import type { Binding } from '../look/bindings.js';
import { cutInTheMiddle, platformName } from '../parts/names.js';
import { CheckedHere } from '../parts/signs.js';
import type { ShownStep } from '../parts/steps.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { useLatest } from '../shell/stable.js';
import { agreedHosts, agreeTo } from './agreed-hosts.js';
import { LookFrame } from './look-frame.js';
import { filled, loadTexts, type OwnLookTexts } from './texts.js';

/** Whether this server lets its page look (setting WEB_LOOK). */
const MAY_LOOK = document.querySelector<HTMLMetaElement>('meta[name="signet-look"]')?.content === 'ask';

/** Looks that were made, by the signature of their link, so that nothing is asked twice for a move within the page. */
const made = new Map<string, Look>();

/** What is looked at, for people who hear the buttons of several. */
function nameOf({ platform, identity, avatar }: Binding): string {
  return `${platformName(platform)} ${identity}, ${cutInTheMiddle(avatar, 14)}`;
}

type Stage = { at: 'start' | 'asking' } | { at: 'frame'; bound: Bound };

interface OwnLookProps {
  /** A binding whose link was checked here. */
  binding: Binding;
  /** The page of the post, for platforms that no page can read; null where there is none. */
  post: string | null;
  /** Gets the step `post` of the link as this browser saw it; null where it has not looked, or saw nothing. */
  onPost?: ((post: ShownStep | null) => void) | undefined;
}

/** What this browser saw at the platform, or may look at. */
export function OwnLook({ binding, post, onPost }: OwnLookProps) {
  const texts = useTexts();
  if (!MAY_LOOK || !texts) return <NotLooked />;
  const { platform, identity } = binding;
  if (whomToAsk(platform, identity) === null) return <Unreadable post={post} texts={texts} />;
  return <Looking binding={binding} texts={texts} onPost={onPost} />;
}

/** Grey, because nothing is known here. */
function NotLooked() {
  return <CheckedHere state="not_checkable">{t('look.post_not_checkable')}</CheckedHere>;
}

function Unreadable({ post, texts }: { post: string | null; texts: OwnLookTexts }) {
  return (
    <div class="own-look">
      <CheckedHere state="not_checkable">{texts.not_readable}</CheckedHere>
      {post !== null && (
        <a href={post} target="_blank" rel="noopener noreferrer nofollow">
          {texts.open_post}
        </a>
      )}
    </div>
  );
}

type LookingProps = Pick<OwnLookProps, 'binding' | 'onPost'> & { texts: OwnLookTexts };

function Looking({ binding, texts, onPost }: LookingProps) {
  const language = useLanguage();
  const link = binding.made!.item as SignedLink;
  const [stage, setStage] = useState<Stage>({ at: 'start' });
  const [look, setLook] = useState(made.get(link.signature));
  const latest = useLatest(onPost);
  useEffect(() => latest.current?.(look ? postStep(look, texts, language) : null), [look, texts, language, latest]);
  const open = async () => {
    setStage({ at: 'asking' });
    const known = await factsOf(binding);
    if (known) setStage({ at: 'frame', bound: { avatar: binding.avatar, link, ...known } });
    else end(lookWithoutFrame());
  };
  const end = (seen: Look | null) => {
    const result = seen ?? lookWithoutFrame();
    made.set(link.signature, result);
    setLook(result);
    setStage({ at: 'start' });
    announce(sentenceOf(result, texts, language));
  };
  const word = look ? texts.look_again : texts.look;
  return (
    <div class="own-look">
      {look ? <Result look={look} texts={texts} language={language} /> : <NotLooked />}
      {stage.at === 'start' ? (
        <button type="button" onClick={() => void open()} aria-label={`${word}: ${nameOf(binding)}`}>
          {word}
        </button>
      ) : (
        <FrameOf stage={stage} texts={texts} onEnd={end} onDeclined={() => setStage({ at: 'start' })} />
      )}
    </div>
  );
}

interface FrameOfProps {
  stage: Stage;
  texts: OwnLookTexts;
  onEnd: (look: Look | null) => void;
  onDeclined: () => void;
}

function FrameOf({ stage, texts, onEnd, onDeclined }: FrameOfProps) {
  const language = useLanguage();
  const [isAsking, setAsking] = useState(false);
  const onAsking = (hosts: string[]) => {
    agreeTo(hosts);
    setAsking(true);
  };
  return (
    <>
      {isAsking && <CheckedHere state="waiting">{texts.asking}</CheckedHere>}
      {stage.at === 'frame' && (
        <LookFrame
          request={{ bound: stage.bound, language, agreed: agreedHosts() }}
          title={texts.frame}
          onAsking={onAsking}
          onLook={onEnd}
          onDeclined={onDeclined}
        />
      )}
    </>
  );
}

function Result({ look, texts, language }: { look: Look; texts: OwnLookTexts; language: string }) {
  const { state, reason, accountId, isSameSignature } = look;
  const stamps = {
    seen: 'ok',
    not_seen: 'failed',
    could_not_look: 'not_checkable',
    not_readable_here: 'not_checkable',
  };
  return (
    <>
      <CheckedHere state={stamps[state] as 'ok' | 'failed' | 'not_checkable'}>
        {sentenceOf(look, texts, language)}
      </CheckedHere>
      {reason !== '' && (
        <p class="exactly small" lang="en">
          {reason}
        </p>
      )}
      {accountId !== '' && <p class="small">{filled(texts.seen_account, { id: accountId })}</p>}
      {isSameSignature === false && <p class="small">{texts.other_signature}</p>}
    </>
  );
}

/** The step `post` after this browser saw the post, or did not find it; null after a look that showed nothing. */
function postStep(look: Look, texts: OwnLookTexts, language: string): ShownStep | null {
  if (look.state !== 'seen' && look.state !== 'not_seen') return null;
  const state = look.state === 'seen' ? 'ok' : 'failed';
  return { name: 'post', state, detail: '', text: sentenceOf(look, texts, language) };
}

function sentenceOf({ state, at, problem }: Look, texts: OwnLookTexts, language: string): string {
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at * 1000);
  if (state === 'seen') return filled(texts.seen, { time });
  if (state === 'not_seen') return filled(texts.not_seen, { time });
  if (state === 'not_readable_here') return texts.not_readable;
  const why = problem === 'network' || problem === 'limit' ? texts[problem] : texts.unusable;
  return filled(texts.could_not_look, { why });
}

/** The look that stands for one whose frame did not load. */
function lookWithoutFrame(): Look {
  return {
    ...{ state: 'could_not_look', by: 'you', at: Math.floor(Date.now() / 1000), problem: 'network' },
    ...{ reason: '', retryAfterSeconds: null, evidence: null, accountId: '', isSameSignature: null },
  };
}

/**
 * What a look needs to know of the server: the account that it saw, so that a name which changed hands is noticed (`''`
 * where it does not say), and its own name, under which records of .bit stand. Null where it did not answer.
 */
async function factsOf({ platform, identity, avatar }: Binding): Promise<Omit<Bound, 'avatar' | 'link'> | null> {
  const evidence = client.proofs.evidence({ platform, identity, avatar }).then(
    ({ account_id }) => account_id,
    () => '',
  );
  const name = client.serviceName().catch(() => null);
  const [accountId, serviceName] = await Promise.all([evidence, name]);
  return serviceName === null ? null : { accountId, serviceName };
}

function useTexts(): OwnLookTexts | null {
  const language = useLanguage();
  const [texts, setTexts] = useState<OwnLookTexts | null>(null);
  useEffect(() => {
    loadTexts(language).then(setTexts, () => setTexts(null));
  }, [language]);
  return texts;
}
