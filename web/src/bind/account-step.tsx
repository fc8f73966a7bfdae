import { type Draft, ethereumWallet, type Platform, solanaWallet, type WalletSigner } from '@signet/sdk';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { formText } from '../keys/form-text.js';
import { confirming, type KeyInUse } from '../keys/key-in-use.js';
import { WalletError } from '../keys/key-step.js';
import { useEthereumWallets, useSolanaWallets } from '../keys/wallets.js';
import { Failure } from '../parts/failure.js';
import { platformName } from '../parts/names.js';
import { client } from '../shell/api.js';
import { platformList } from '../shell/platforms.js';
import { useAnswer } from '../shell/use-answer.js';
import { PlatformSteps } from './platform-steps.js';
import { SignedText, useConfirmation } from './signed-text.js';

/** What a person wants to bind. */
interface WantedBinding {
  platform: string;
  identity: string;
}

interface Props {
  keyInUse: KeyInUse;
  wanted: WantedBinding;
  onDraft: (draft: Draft) => void;
}

/** The account or wallet, and the signature. */
export function AccountStep({ keyInUse, wanted, onDraft }: Props) {
  const platforms = useAnswer(() => platformList(), []);
  const [chosen, setChosen] = useState(wanted.platform);
  if (platforms.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (platforms.state === 'failed') return <Failure error={platforms.error} again={platforms.again} />;
  const platform = platforms.value.find((one) => one.platform === chosen);
  return (
    <section class="account-step">
      <h2>{t('bind.choose_platform')}</h2>
      <PlatformChoice platforms={platforms.value} chosen={chosen} onChoose={setChosen} />
      {platform && !platform.is_available && <p class="failure">{platform.unavailable_reason}</p>}
      {platform?.is_available && (
        <AccountForm
          key={chosen}
          keyInUse={keyInUse}
          platform={platform}
          identity={wanted.platform === chosen ? wanted.identity : ''}
          onDraft={onDraft}
        />
      )}
    </section>
  );
}

function PlatformChoice({
  platforms,
  chosen,
  onChoose,
}: {
  platforms: Platform[];
  chosen: string;
  onChoose: (platform: string) => void;
}) {
  return (
    <fieldset class="platforms">
      <legend class="only-read">{t('bind.platform')}</legend>
      {platforms.map(({ platform, is_available: isAvailable }) => (
        <label key={platform} class={isAvailable ? '' : 'quiet'}>
          <input
            type="radio"
            name="platform"
            value={platform}
            checked={platform === chosen}
            onChange={() => onChoose(platform)}
          />
          <span>{platformName(platform)}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface FormProps {
  keyInUse: KeyInUse;
  platform: Platform;
  identity: string;
  onDraft: (draft: Draft) => void;
}

/** Signs what the form names: one text, shown before it is signed. */
function useSigning(keyInUse: KeyInUse, onDraft: (draft: Draft) => void) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const confirmation = useConfirmation();
  const sign = async (wanted: WantedBinding, walletOf?: () => Promise<{ wallet?: WalletSigner; identity: string }>) => {
    setError(null);
    setBusy(true);
    try {
      const own = await walletOf?.();
      const signer = confirming(keyInUse, confirmation.confirm);
      onDraft(await client.draft({ ...wanted, ...own, signer }));
    } catch (problem) {
      if (!confirmation.isCancelled(problem)) setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { sign, error, isBusy, confirmation };
}

function AccountForm({ keyInUse, platform, identity, onDraft }: FormProps) {
  const { sign, error, isBusy, confirmation } = useSigning(keyInUse, onDraft);
  const WalletChoice = WALLET_CHOICES.get(platform.platform);
  return (
    <>
      {WalletChoice ? (
        <WalletChoice keyInUse={keyInUse} isBusy={isBusy} sign={sign} />
      ) : (
        <NameForm platform={platform} identity={identity} isBusy={isBusy} sign={sign} />
      )}
      <SignedText confirmation={confirmation} />
      <WalletError error={error} />
    </>
  );
}

type Sign = ReturnType<typeof useSigning>['sign'];

interface ChoiceProps {
  keyInUse: KeyInUse;
  isBusy: boolean;
  sign: Sign;
}

function NameForm({
  platform: guide,
  identity,
  isBusy,
  sign,
}: {
  platform: Platform;
  identity: string;
  isBusy: boolean;
  sign: Sign;
}) {
  const id = useId();
  const { platform, identity_example: example } = guide;
  const [written, setWritten] = useState(identity);
  const submit = (event: SubmitEvent) => {
    void sign({ platform, identity: formText(event)('identity').trim() });
  };
  return (
    <form class="fields" onSubmit={submit}>
      <label for={id}>{t('bind.your_name_on', { platform: platformName(platform) })}</label>
      <input
        id={id}
        name="identity"
        value={written}
        onInput={(event) => setWritten(event.currentTarget.value)}
        placeholder={example}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        dir="auto"
        required
      />
      <details>
        <summary>{t('bind.what_comes')}</summary>
        <PlatformSteps platform={guide} identity={written} />
      </details>
      <button type="submit" class="primary" disabled={isBusy}>
        {t('bind.sign')}
      </button>
    </form>
  );
}

/** The wallet that is the key itself, or another one, which signs too. */
function EthereumChoice({ keyInUse, isBusy, sign }: ChoiceProps) {
  const wallets = useEthereumWallets();
  const { address } = keyInUse.signer;
  const platform = 'ethereum';
  return (
    <div class="fields">
      <p>{t('bind.nothing_published')}</p>
      <button
        type="button"
        class="primary"
        disabled={isBusy}
        onClick={() => void sign({ platform, identity: address })}
      >
        {t('bind.bind_own_address')} <code>{`${address.slice(0, 8)}…${address.slice(-6)}`}</code>
      </button>
      {wallets.map(({ id, name, provider }) => (
        <button
          key={id}
          type="button"
          disabled={isBusy}
          onClick={() =>
            void sign({ platform, identity: '' }, async () => {
              const [account = ''] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
              const isOwn = account.toLowerCase() === address;
              return {
                identity: account.toLowerCase(),
                ...(isOwn ? {} : { wallet: ethereumWallet(provider, account) }),
              };
            })
          }
        >
          {t('bind.bind_wallet', { name })}
        </button>
      ))}
    </div>
  );
}

function SolanaChoice({ isBusy, sign }: ChoiceProps) {
  const wallets = useSolanaWallets();
  return (
    <div class="fields">
      <p>{t('bind.nothing_published')}</p>
      {wallets.length === 0 && <p class="quiet">{t('bind.no_solana_wallet')}</p>}
      {wallets.map((wallet) => (
        <button
          key={wallet.name}
          type="button"
          disabled={isBusy}
          onClick={() =>
            void sign({ platform: 'solana', identity: '' }, async () => {
              const { accounts } = await wallet.features['standard:connect'].connect();
              const account = accounts[0] ?? wallet.accounts[0]!;
              return { identity: account.address, wallet: solanaWallet(wallet, account) };
            })
          }
        >
          {t('bind.bind_wallet', { name: wallet.name })}
        </button>
      ))}
    </div>
  );
}

/** How a wallet is chosen in a browser, by platform (`WALLET_PLATFORMS` of `@signet/verify`). */
const WALLET_CHOICES = new Map([
  ['ethereum', EthereumChoice],
  ['solana', SolanaChoice],
]);
