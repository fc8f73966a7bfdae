import type { IdentityGroup } from '@signet/sdk';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { LettersNotice } from '../parts/letters-notice.js';
import { cutInTheMiddle, Identity, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { ProfilePicture } from '../parts/profile-head.js';
import { Seal } from '../parts/seal.js';
import { ServerSays } from '../parts/signs.js';
import { client } from '../shell/api.js';
import { avatarPath, identityPath } from '../shell/router.js';
import { useAnswer } from '../shell/use-answer.js';
import { AllHolders } from '../look/all-holders.js';
import { HoldNote } from '../look/hold-note.js';
import { serverState } from '../look/server-state.js';
import { findHidden, identityItem, keyItem } from '../look/hidden.js';
import { isNamed, readHolders } from '../look/holders.js';
import { NewNotice } from '../look/new-notice.js';
import { useProfile } from '../look/use-profile.js';
import { AccountsOfName } from './account-name.js';
import type { Guess } from './guess.js';

/** Names that are shown of each kind. */
const SHOWN = 50;
/** Keys at the top of each list whose profiles are read, each by a request or two of its own. */
const PROFILES = 10;

/** A binding that was found, with the key that holds it. */
interface Found {
  avatar: string;
  group: IdentityGroup;
  proof: IdentityGroup['proofs'][number];
}

/** What was found for a name: exactly this first, what is only similar apart from it. */
export function SearchResults({ guess: { identity, platform } }: { guess: Extract<Guess, { kind: 'name' }> }) {
  const answer = useAnswer(
    async (signal) => {
      // A comma separates names for the server; no name has one.
      const search = { identity: identity.replaceAll(',', ' '), ...(platform !== undefined && { platform }) };
      const [holders, similar] = await Promise.all([
        readHolders(search, 1, signal),
        client.proofs.find({ ...search, exact: false, signal }).page(1),
      ]);
      const same = await shown(found(holders.groups, (proof) => isNamed(proof, search)));
      const isShown = new Set(same.map(({ avatar, proof }) => `${avatar} ${proof.platform} ${proof.identity}`));
      const fits = (proof: Found['proof']) => proof.identity.toLowerCase().includes(identity.toLowerCase());
      const others = await shown(found(similar.items, fits));
      return {
        holders,
        same,
        similar: others.filter(({ avatar, proof }) => !isShown.has(`${avatar} ${proof.platform} ${proof.identity}`)),
      };
    },
    [identity, platform],
  );
  if (answer.state === 'waiting') return <p class="waiting">{t('look.searching')}</p>;
  if (answer.state === 'failed') return <Failure error={answer.error} again={answer.again} />;
  const { holders, same, similar } = answer.value;
  return (
    <>
      <section class="results">
        <h2>{t('look.exactly')}</h2>
        {!holders.isWhole && <ServerSays>{t('look.found', { count: holders.total })}</ServerSays>}
        <AllHolders holders={holders} platform={platform} identity={identity} />
        {same.length > 0 && <FoundList list={same} searched={identity} />}
        <AccountsOfName platform={platform} identity={identity} />
      </section>
      {similar.length > 0 && (
        <section class="results similar">
          <h2>{t('look.similar')}</h2>
          <p class="quiet">{t('look.similar_text')}</p>
          <FoundList list={similar} searched={identity} />
        </section>
      )}
    </>
  );
}

function FoundList({ list, searched }: { list: Found[]; searched: string }) {
  return (
    <ul class="found">
      {list.slice(0, SHOWN).map(({ avatar, group, proof }, place) => (
        <li key={`${avatar} ${proof.platform} ${proof.identity}`}>
          <Seal avatar={avatar} size={40} />
          <div>
            <a class="found-name" href={identityPath(proof.platform, proof.identity)}>
              <PlatformIcon platform={proof.platform} />
              <span class="platform">{platformName(proof.platform)}</span> <Identity name={proof.identity} />
            </a>
            <LettersNotice name={proof.identity} others={[searched]} />
            <NewNotice proof={proof} />
            <ServerSays>
              <strong class={`state ${serverState(proof)}`}>{t(`look.state_${serverState(proof)}`)}</strong>
            </ServerSays>
            <HoldNote group={group} />
          </div>
          <FoundKey avatar={avatar} hasProfile={place < PROFILES} />
        </li>
      ))}
    </ul>
  );
}

/** The key behind a name: by its profile, where that is asked for and signed, and always by itself. */
function FoundKey({ avatar, hasProfile }: { avatar: string; hasProfile: boolean }) {
  const profile = useProfile(hasProfile ? avatar : null);
  return (
    <a class="found-key" href={avatarPath(avatar)}>
      <span class="only-read">{t('look.held_by')} </span>
      {profile?.picture && <ProfilePicture picture={profile.picture} size={32} />}
      <span>
        {profile?.name && <bdi class="profile-name">{profile.name}</bdi>}
        <code>{cutInTheMiddle(avatar, 14)}</code>
      </span>
    </a>
  );
}

/** Those that the operator does not hide. */
async function shown(list: Found[]): Promise<Found[]> {
  const hidden = await Promise.all(
    list.map(async ({ avatar, proof: { platform, identity } }) => {
      const items = [keyItem(avatar), identityItem(platform, identity)];
      return (await Promise.all(items.map(findHidden))).some(Boolean);
    }),
  );
  return list.filter((_, place) => !hidden[place]);
}

/** Bindings in groups that fit; a group also shows what else its key holds. */
function found(groups: IdentityGroup[], fits: (proof: Found['proof']) => boolean): Found[] {
  return groups.flatMap((group) => group.proofs.filter(fits).map((proof) => ({ avatar: group.avatar, group, proof })));
}
