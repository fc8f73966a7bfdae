/** Names of accounts that can change hands, such as handles on Bluesky: hints, with the time of the look. */
import { rich, t } from '../i18n/i18n.js';
import type { Name } from '../look/holders.js';
import { Failure } from '../parts/failure.js';
import { cutInTheMiddle, platformName } from '../parts/names.js';
import { ServerSays } from '../parts/signs.js';
import { Time } from '../parts/time.js';
import { client } from '../shell/api.js';
import { usePlatforms } from '../shell/platforms.js';
import { identityPath } from '../shell/router.js';
import { useAnswer } from '../shell/use-answer.js';
import { isNameOfAccount } from './impossible-name.js';

/** The name of the present of an account, as the server has found it; nothing where there is none. */
export function AccountName({ platform, identity }: Name) {
  const guide = usePlatforms()?.find((one) => one.platform === platform);
  return guide?.has_account_names ? <AskedName platform={platform} identity={identity} /> : null;
}

function AskedName({ platform, identity }: Name) {
  const answer = useAnswer((signal) => client.account(platform, identity, { signal }), [platform, identity]);
  const account = answer.state === 'there' ? answer.value : null;
  if (!account || account.identity !== identity || account.name === '') return null;
  const parts = { name: <bdi>{account.name}</bdi>, time: <Time seconds={account.checked_at} /> };
  return <ServerSays>{rich('look.account_name', parts)}</ServerSays>;
}

/**
 * The accounts that a text is the name of, on all platforms that have such names, or on one. A domain alone is asked
 * about Nostr only where Nostr is named: there it is seldom a name, and each question goes to the domain.
 */
export function AccountsOfName({ identity, platform }: { identity: string; platform?: string | undefined }) {
  const guides = usePlatforms()?.filter(
    (guide) =>
      (platform === undefined
        ? guide.platform !== 'nostr' || identity.includes('@', 1)
        : guide.platform === platform) && isNameOfAccount({ platform: guide.platform, identity }, guide),
  );
  return guides?.map((guide) => (
    <AccountBehind
      key={guide.platform}
      platform={guide.platform}
      identity={identity}
      isQuiet={platform === undefined}
    />
  ));
}

/** The account behind a name; `isQuiet` says nothing where there is none. */
export function AccountBehind({ platform, identity: name, isQuiet = false }: Name & { isQuiet?: boolean }) {
  const answer = useAnswer((signal) => client.account(platform, name, { signal }), [platform, name]);
  if (isQuiet && (answer.state !== 'there' || !answer.value)) return null;
  if (answer.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (answer.state === 'failed') return <Failure error={answer.error} again={answer.again} />;
  const parts = { platform: platformName(platform), name: <bdi>{name}</bdi> };
  if (!answer.value) return <ServerSays>{rich('look.no_account', parts)}</ServerSays>;
  const { identity, checked_at } = answer.value;
  return (
    <ServerSays>
      {rich('look.account_of_name', {
        ...parts,
        time: <Time seconds={checked_at} />,
        account: <a href={identityPath(platform, identity)}>{cutInTheMiddle(identity, 30)}</a>,
      })}
    </ServerSays>
  );
}
