import { type Draft, ethereumWallet, firstAccount, type Platform, SignetError, solanaWallet } from '@signet/sdk';
import { cleanPasted, holdsPrivateKey } from '@signet/verify/internal';
import type { EthereumWallet } from '@signet/sdk/wallets';
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { keyFor, t } from '../i18n/i18n.js';
import { formText } from '../keys/form-text.js';
import { type KeyInUse, useCurrentKey } from '../keys/key-in-use.js';
import { KeyStep } from '../keys/key-step.js';
import { useTouch, WalletApps } from '../keys/wallet-apps.js';
import { AskedWallet, WalletError } from '../keys/wallet-choice.js';
import { useEthereumWallets, useSolanaWallets } from '../keys/wallets.js';
import { Failure } from '../parts/failure.js';
import { platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { platformList, usePlatforms } from '../shell/platforms.js';
import { useAnswer } from '../shell/use-answer.js';
import { NameField } from './name-field.js';
import { NostrChoice } from './nostr-choice.js';
import { Picture, PlatformSteps } from './platform-steps.js';
import { useSigning, type WantedSignature } from './sign-step.js';
import { SignedText } from './signed-text.js';
import type { WantedBinding } from './wanted.js';

/** Platforms in the order in which they are offered; others follow as the server has them. */
const KNOWN_BEST = ['github', 'activitypub', 'twitter', 'ethereum', 'solana', 'dns', 'discord'];

interface Props {
  wanted: WantedBinding;
  onNamed: (wanted: WantedBinding) => void;
  onDraft: (draft: Draft) => void;
  /** Called with the platform that is chosen. */
  onChosen: (platform: string) => void;
}

/** The account or wallet. A wallet is its own key, or is signed for at once; an account is named first. */
export function AccountStep({ wanted, onNamed, onDraft, onChosen }: Props) {
  const platforms = usePlatforms();
  const answer = useAnswer(() => platformList(), []);
  const [chosen, setChosen] = useState(wanted.platform);
  // Where the address names a platform, the others are a click away.
  const [isOpen, setOpen] = useState(wanted.platform === '');
  const list = answer.state === 'there' ? answer.value : (platforms ?? []);
  const platform = list.find((one) => one.platform === chosen);
  const choose = (name: string) => {
    setChosen(name);
    onChosen(name);
  };
  return (
    <section class="account-step">
      <h2>{t('bind.choose_platform')}</h2>
      {answer.state === 'failed' && <Failure error={answer.error} again={answer.again} />}
      <PlatformChoice platforms={isOpen || !platform ? list : [platform]} chosen={chosen} onChoose={choose} />
      {!isOpen && platform && (
        <button type="button" class="plain" onClick={() => setOpen(true)}>
          {t('bind.other_account')}
        </button>
      )}
      {platform && !platform.is_available && <p class="failure">{platform.unavailable_reason}</p>}
      {platform?.is_available &&
        (WALLET_CHOICES.has(chosen) ? (
          <WalletStep key={chosen} platform={platform} onDraft={onDraft} />
        ) : (
          <NameForm
            key={chosen}
            platform={platform}
            identity={wanted.platform === chosen ? wanted.identity : ''}
            onNamed={onNamed}
          />
        ))}
    </section>
  );
}

interface ChoicesProps {
  platforms: readonly Platform[];
  chosen: string;
  onChoose: (platform: string) => void;
}

/** What this server can check. The service leaves the others out of the document by `data-platform`. */
function PlatformChoice({ platforms, chosen, onChoose }: ChoicesProps) {
  const offered = inOrder(platforms);
  return (
    <fieldset class="platforms">
      <legend class="only-read">{t('bind.platform')}</legend>
      <ul>
        {offered.map(({ platform }) => (
          <li key={platform} data-platform={platform}>
            <label class="platform-choice">
              <input
                type="radio"
                name="platform"
                value={platform}
                checked={platform === chosen}
                onChange={() => onChoose(platform)}
              />
              <PlatformIcon platform={platform} size={28} />
              <span>
                {platformName(platform)}
                <PlatformHint platform={platform} />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Those that this server can check, the best known first. */
export function inOrder(platforms: readonly Platform[]): Platform[] {
  const placeOf = ({ platform }: Platform) => (KNOWN_BEST.indexOf(platform) + 1 || KNOWN_BEST.length + 1) - 1;
  return platforms
    .filter(({ is_available: isAvailable }) => isAvailable)
    .sort((one, other) => placeOf(one) - placeOf(other));
}

/** What else a platform is called, or what it is. */
export function PlatformHint({ platform }: { platform: string }) {
  const key = keyFor('bind.hint_', platform);
  return key === null ? null : <span class="quiet small"> {t(key)}</span>;
}

interface NameProps {
  platform: Platform;
  identity: string;
  onNamed: (wanted: WantedBinding) => void;
}

function NameForm({ platform: guide, identity, onNamed }: NameProps) {
  const { platform } = guide;
  const [written, setWritten] = useState(identity);
  const [isPrivate, setPrivate] = useState(false);
  const submit = (event: SubmitEvent) => {
    const name = cleanPasted(formText(event)('identity'));
    setPrivate(holdsPrivateKey(name));
    if (holdsPrivateKey(name)) setWritten('');
    else onNamed({ platform, identity: name });
  };
  return (
    <form class="fields" onSubmit={submit}>
      <NameField
        platform={platform}
        guide={guide}
        problem={isPrivate ? t('look.private_key') : null}
        value={written}
        onInput={(event) => setWritten(event.currentTarget.value)}
      />
      <details>
        <summary>{t('bind.what_comes')}</summary>
        <PlatformSteps platform={guide} identity={written} />
      </details>
      <button type="submit" class="primary">
        {t('bind.go_on')}
      </button>
    </form>
  );
}

/** A wallet: the key first, which may be the wallet itself, then its own signature. */
export function WalletStep({ platform, onDraft }: { platform: Platform; onDraft: (draft: Draft) => void }) {
  const key = useCurrentKey();
  return (
    <>
      <KeyStep isForWallet />
      {key && (
        <>
          <WalletForm key={key.signer.avatar} keyInUse={key} platform={platform.platform} onDraft={onDraft} />
          <Picture platform={platform} identity="" isWallet />
        </>
      )}
    </>
  );
}

interface WalletFormProps {
  keyInUse: KeyInUse;
  platform: string;
  onDraft: (draft: Draft) => void;
}

function WalletForm({ keyInUse, platform, onDraft }: WalletFormProps) {
  const { sign, error, asked, confirmation } = useSigning(keyInUse, onDraft);
  const WalletChoice = WALLET_CHOICES.get(platform)!;
  return (
    <>
      <WalletChoice keyInUse={keyInUse} asked={asked} sign={sign} />
      <AskedWallet name={asked?.wallet?.name || null} again={() => void sign(asked!)} />
      <SignedText confirmation={confirmation} />
      <WalletError error={error} />
    </>
  );
}

interface ChoiceProps {
  keyInUse: KeyInUse;
  /** What is asked for at the moment; the others can be chosen in its place. */
  asked: WantedSignature | null;
  sign: ReturnType<typeof useSigning>['sign'];
}

/** The wallet that is the key itself, or another one, which signs too. */
function EthereumChoice({ keyInUse, asked, sign }: ChoiceProps) {
  const wallets = useEthereumWallets();
  const { address } = keyInUse.signer;
  const platform = 'ethereum';
  // The wallet that is the key has one button for its own address; another account of it is the rare case.
  const own = keyInUse.kind === 'wallet' ? wallets.find(({ name }) => name === keyInUse.name) : undefined;
  const others = wallets.filter((wallet) => wallet !== own);
  const signWith = ({ id, name, provider }: EthereumWallet) => {
    const connect = async () => {
      const account = await firstAccount(provider);
      const isOwn = account.toLowerCase() === address;
      return {
        identity: account.toLowerCase(),
        ...(isOwn ? {} : { wallet: ethereumWallet(provider, account) }),
      };
    };
    void sign({ platform, identity: '', wallet: { id, name, connect } });
  };
  const buttonOf = (wallet: EthereumWallet) => (
    <button key={wallet.id} type="button" disabled={asked?.wallet?.id === wallet.id} onClick={() => signWith(wallet)}>
      {t('bind.bind_wallet', { name: wallet.name })}
    </button>
  );
  return (
    <div class="fields">
      <p>{t('bind.nothing_published')}</p>
      <button
        type="button"
        class="primary"
        disabled={asked !== null && !asked.wallet}
        onClick={() => void sign({ platform, identity: address })}
      >
        {t('bind.bind_own_address')} <code>{`${address.slice(0, 8)}…${address.slice(-6)}`}</code>
      </button>
      {others.map(buttonOf)}
      {own && (
        <details>
          <summary>{t('bind.other_account')}</summary>
          {buttonOf(own)}
        </details>
      )}
    </div>
  );
}

function SolanaChoice({ asked, sign }: ChoiceProps) {
  const wallets = useSolanaWallets();
  const isTouched = useTouch();
  return (
    <div class="fields">
      <p>{t('bind.nothing_published')}</p>
      {wallets.length === 0 && <p class="quiet">{t('bind.no_solana_wallet')}</p>}
      {wallets.length === 0 && isTouched && <WalletApps chain="solana" />}
      {wallets.map((wallet) => (
        <button
          key={wallet.name}
          type="button"
          disabled={asked?.wallet?.id === wallet.name}
          onClick={() => {
            const connect = async () => {
              const { accounts } = await wallet.features['standard:connect'].connect();
              const account = accounts[0] ?? wallet.accounts[0];
              if (!account) throw new SignetError(t('bind.no_account'), { code: 'no_account' });
              return { identity: account.address, wallet: solanaWallet(wallet, account) };
            };
            void sign({ platform: 'solana', identity: '', wallet: { id: wallet.name, name: wallet.name, connect } });
          }}
        >
          {t('bind.bind_wallet', { name: wallet.name })}
        </button>
      ))}
    </div>
  );
}

/** How a wallet is chosen in a browser, by platform (`WALLET_PLATFORMS` of `@signet/verify`). */
const WALLET_CHOICES = new Map<string, FunctionComponent<ChoiceProps>>([
  ['ethereum', EthereumChoice],
  ['solana', SolanaChoice],
  ['nostr', NostrChoice],
]);
