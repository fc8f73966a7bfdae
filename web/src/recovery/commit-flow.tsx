import type { KeyEvent, RecordedKeyEvent } from '@signet/sdk';
import { KEY_RULES, recoveryNamesOf } from '@signet/verify/key-events';
import { useId, useState } from 'preact/hooks';
import { SignedText } from '../bind/signed-text.js';
import { useLanguage, t } from '../i18n/i18n.js';
import type { KeyInUse } from '../keys/key-in-use.js';
import { WalletChoice } from '../keys/wallet-choice.js';
import { client } from '../shell/api.js';
import { focusOnAppearance } from '../shell/focus.js';
import { KeyFailure } from './key-failure.js';
import { KeyMeaning } from './key-meaning.js';
import type { KeysRead } from './keys-of.js';
import { RecoveryWords } from './recovery-words.js';
import { RecoveryKeys } from './recovery-keys.js';
import { type NamedKey, SigningAs, SigningKey } from './signing-key.js';
import { useSaying } from './use-saying.js';
import { spanText } from './words.js';

const { recoveryKeys, delayHours } = KEY_RULES;
/** Whole days are what people think in. */
const DAYS = Array.from({ length: delayHours.most / delayHours.least }, (_, index) => (index + 1) * delayHours.least);

interface Props {
  keys: KeysRead;
  onDone: (event: KeyEvent) => void;
  onCancel: () => void;
}

/** The choice of recovery keys, their order and the delay; then the key itself signs, perhaps with the highest one. */
export function CommitFlow({ keys, onDone, onCancel }: Props) {
  const { committed } = keys.state;
  const [names, setNames] = useState<string[]>(committed?.recovery ?? []);
  const [hours, setHours] = useState(committed?.delay_hours ?? delayHours.usual);
  const [isSigning, setSigning] = useState(false);
  if (isSigning) {
    return <SignCommit keys={keys} names={names} hours={hours} onDone={onDone} onBack={() => setSigning(false)} />;
  }
  return (
    <>
      <Chosen keys={keys} names={names} onNames={setNames} />
      <Delay hours={hours} onHours={setHours} />
      <div class="row">
        <button type="button" class="primary" disabled={names.length === 0} onClick={() => setSigning(true)}>
          {t('bind.go_on')}
        </button>
        <button type="button" class="plain" onClick={onCancel}>
          {t('bind.cancel')}
        </button>
      </div>
    </>
  );
}

interface ChosenProps {
  keys: KeysRead;
  names: string[];
  onNames: (names: string[]) => void;
}

/** The recovery keys that are chosen so far, and ways to add one. New words are put above all others. */
function Chosen({ keys: { avatar }, names, onNames }: ChosenProps) {
  const [adding, setAdding] = useState<'words' | 'wallet' | null>(null);
  const [problem, setProblem] = useState('');
  const add = (name: string, isFirst: boolean) => {
    setAdding(null);
    if (names.includes(name)) return setProblem(t('recovery.is_chosen'));
    setProblem('');
    onNames(isFirst ? [name, ...names] : [...names, name]);
  };
  const addWallet = ({ signer }: KeyInUse) => {
    if (signer.avatar === avatar) {
      setAdding(null);
      return setProblem(t('recovery.is_key_itself'));
    }
    add(recoveryNamesOf(signer.avatar).address, false);
  };
  return (
    <>
      <p>{t('recovery.order_text')}</p>
      <RecoveryKeys
        names={names}
        deeds={(name, place) => <Order names={names} place={place} onNames={onNames} key={name} />}
      />
      {adding === null && names.length < recoveryKeys.most && (
        <div class="row">
          <button type="button" class={names.length === 0 ? 'primary' : undefined} onClick={() => setAdding('words')}>
            {t('recovery.add_words')}
          </button>
          <button type="button" onClick={() => setAdding('wallet')}>
            {t('recovery.add_wallet')}
          </button>
        </div>
      )}
      {adding === 'words' && (
        <RecoveryWords avatar={avatar} onName={(name) => add(name, true)} onCancel={() => setAdding(null)} />
      )}
      {adding === 'wallet' && (
        <section class="key-choice">
          <p tabIndex={-1} ref={focusOnAppearance}>
            {t('recovery.wallet_public')}
          </p>
          <WalletChoice isExpected onKey={addWallet} />
          <button type="button" class="plain" onClick={() => setAdding(null)}>
            {t('bind.cancel')}
          </button>
        </section>
      )}
      <p class="problem-text" role="status">
        {problem}
      </p>
    </>
  );
}

interface OrderProps {
  names: string[];
  place: number;
  onNames: (names: string[]) => void;
}

/** Moves one recovery key, or takes it out. */
function Order({ names, place, onNames }: OrderProps) {
  const number = place + 1;
  const swapped = () =>
    names.map((name, at) => (at === place ? names[at - 1]! : at === place - 1 ? names[place]! : name));
  return (
    <span class="order">
      {place > 0 && (
        <button
          type="button"
          class="plain"
          aria-label={t('recovery.higher_number', { number })}
          onClick={() => onNames(swapped())}
        >
          {t('recovery.higher')}
        </button>
      )}
      <button
        type="button"
        class="plain"
        aria-label={t('recovery.remove_number', { number })}
        onClick={() => onNames(names.filter((_, at) => at !== place))}
      >
        {t('recovery.remove')}
      </button>
    </span>
  );
}

function Delay({ hours, onHours }: { hours: number; onHours: (hours: number) => void }) {
  const id = useId();
  const language = useLanguage();
  const choices = DAYS.includes(hours) ? DAYS : [...DAYS, hours].sort((one, other) => one - other);
  return (
    <div class="fields">
      <label for={id}>{t('recovery.delay')}</label>
      <select
        id={id}
        value={hours}
        aria-describedby={`${id}-why`}
        onChange={(event) => onHours(Number(event.currentTarget.value))}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {spanText(choice, language)}
          </option>
        ))}
      </select>
      <p id={`${id}-why`} class="quiet small">
        {t('recovery.delay_text')}
      </p>
    </div>
  );
}

interface SignProps extends Omit<Props, 'onCancel'> {
  names: string[];
  hours: number;
  onBack: () => void;
}

/** The key itself signs; with the highest recovery key in force beside it, nothing has to be waited for. */
function SignCommit({ keys, names, hours, onDone, onBack }: SignProps) {
  const { avatar, state } = keys;
  const [main, setMain] = useState<NamedKey | null>(null);
  const [highest, setHighest] = useState<NamedKey | null>(null);
  const [isTogether, setTogether] = useState(false);
  const { say, isBusy, error, confirmation } = useSaying(({ event }: RecordedKeyEvent) => onDone(event));
  const sign = () =>
    say((signerOf) =>
      client.keys.commit({
        ...{ avatar, recovery: names, delayHours: hours, signer: signerOf(main!.key) },
        ...(isTogether && highest && { cosigner: signerOf(highest.key) }),
      }),
    );
  return (
    <>
      <RecoveryKeys names={names} />
      {main ? (
        <SigningAs state={state} named={main} onOther={() => setMain(null)} />
      ) : (
        <SigningKey avatar={avatar} state={state} wanted="main" onKey={setMain} />
      )}
      {state.committed && (
        <label class="together">
          <input type="checkbox" checked={isTogether} onChange={(event) => setTogether(event.currentTarget.checked)} />
          <span>{t('recovery.together')}</span>
        </label>
      )}
      {isTogether && <Highest keys={keys} highest={highest} onHighest={setHighest} />}
      <SignedText confirmation={confirmation} Meaning={KeyMeaning} />
      <KeyFailure error={error} />
      <div class="row">
        {!isBusy && (
          <button
            type="button"
            class="primary"
            disabled={!main || (isTogether && !highest)}
            onClick={() => void sign()}
          >
            {t('bind.sign')}
          </button>
        )}
        <button type="button" class="plain" onClick={onBack}>
          {t('recovery.back')}
        </button>
      </div>
    </>
  );
}

interface HighestProps {
  keys: KeysRead;
  highest: NamedKey | null;
  onHighest: (named: NamedKey | null) => void;
}

/** The highest recovery key in force. Another one cannot sign beside the key itself. */
function Highest({ keys: { avatar, state }, highest, onHighest }: HighestProps) {
  const [isLower, setLower] = useState(false);
  const choose = (named: NamedKey) => {
    const isHighest = named.name === state.committed?.recovery[0];
    setLower(!isHighest);
    if (isHighest) onHighest(named);
  };
  if (highest) return <SigningAs state={state} named={highest} onOther={() => onHighest(null)} />;
  return (
    <>
      <SigningKey avatar={avatar} state={state} wanted="recovery" onKey={choose} />
      {isLower && (
        <p class="failure" role="alert">
          {t('recovery.not_highest')}
        </p>
      )}
    </>
  );
}
