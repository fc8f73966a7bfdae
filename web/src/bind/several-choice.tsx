import type { Platform } from '@signet/sdk';
import { WALLET_PLATFORMS } from '@signet/verify';
import { cleanPasted } from '@signet/verify/internal';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { formText } from '../keys/form-text.js';
import { Failure } from '../parts/failure.js';
import { platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { problemOfName } from '../search/impossible-name.js';
import { platformList } from '../shell/platforms.js';
import { useAnswer } from '../shell/use-answer.js';
import { inOrder, PlatformHint } from './account-step.js';
import { NameField } from './name-field.js';
import type { WantedBinding } from './wanted.js';

/** Ticks for what a person has, with the name on each; a wallet is named when it signs. */
export function SeveralChoice({ onChosen }: { onChosen: (wanted: WantedBinding[]) => void }) {
  const answer = useAnswer(() => platformList(), []);
  const [ticked, setTicked] = useState<string[]>([]);
  const [problems, setProblems] = useState<Record<string, ComponentChildren>>({});
  const form = useRef<HTMLFormElement>(null);
  // The button may be several screens below the name that is wrong.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [problems]);
  if (answer.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (answer.state === 'failed') return <Failure error={answer.error} again={answer.again} />;
  const offered = inOrder(answer.value);
  const choose = (event: SubmitEvent) => {
    const text = formText(event);
    const wanted = offered
      .filter(({ platform }) => ticked.includes(platform))
      .map(({ platform }) => ({ platform, identity: isWallet(platform) ? '' : cleanPasted(text(platform)) }));
    const guideOf = (name: string) => offered.find(({ platform }) => platform === name);
    const found = wanted.flatMap((one) => {
      const problem = isWallet(one.platform) ? null : problemOfName(one, guideOf(one.platform));
      return problem === null ? [] : [[one.platform, problem] as const];
    });
    setProblems(Object.fromEntries(found));
    if (found.length === 0) onChosen(wanted);
  };
  const tick = (platform: string, isTicked: boolean) =>
    setTicked(isTicked ? [...ticked, platform] : ticked.filter((one) => one !== platform));
  return (
    <form ref={form} class="several-choice" onSubmit={choose}>
      <p class="lead">{t('bind.several_about')}</p>
      <ul class="tick-list">
        {offered.map((platform) => (
          <Tick
            key={platform.platform}
            guide={platform}
            isTicked={ticked.includes(platform.platform)}
            problem={problems[platform.platform] ?? null}
            onTick={tick}
          />
        ))}
      </ul>
      <p>
        <button type="submit" class="primary" disabled={ticked.length === 0}>
          {t('bind.go_on')}
        </button>
      </p>
    </form>
  );
}

const isWallet = (platform: string) => WALLET_PLATFORMS.includes(platform);

interface TickProps {
  guide: Platform;
  isTicked: boolean;
  problem: ComponentChildren | null;
  onTick: (platform: string, isTicked: boolean) => void;
}

function Tick({ guide, isTicked, problem, onTick }: TickProps) {
  const { platform } = guide;
  return (
    <li>
      <label>
        <input type="checkbox" checked={isTicked} onChange={(event) => onTick(platform, event.currentTarget.checked)} />
        <PlatformIcon platform={platform} size={24} />
        <span>
          {platformName(platform)}
          <PlatformHint platform={platform} />
        </span>
      </label>
      {isTicked && !isWallet(platform) && (
        <div class="fields">
          <NameField platform={platform} guide={guide} name={platform} problem={problem} />
        </div>
      )}
    </li>
  );
}
