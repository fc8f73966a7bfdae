import type { IdentityGroup } from '@signet/sdk';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { formText } from '../keys/form-text.js';
import { readHolders } from '../look/holders.js';
import { Failure } from '../parts/failure.js';
import { Identity, KeyText, platformName } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { guess } from '../search/guess.js';
import { platformList } from '../shell/platforms.js';
import { navigate } from '../shell/router.js';
import { type Door, doorPath } from './doors.js';

/** Keys of one name that are offered; who holds it with more others looks the key up. */
const SHOWN = 10;

/** The key that a door is about: the field for it, or the key itself once the address has it. */
export function WhichKey({ avatar, door }: { avatar: string | null; door: Door }) {
  if (avatar === null) return <KeyField door={door} />;
  return (
    <div class="key-shown">
      <Seal avatar={avatar} size={56} />
      <div>
        <p class="overline">{t('recovery.old_key')}</p>
        <KeyText value={avatar} />
        <p>
          <a href={doorPath(door, null)}>{t('recovery.other_key')}</a>
        </p>
      </div>
    </div>
  );
}

/** Where a key is known by itself, or by an account that it holds. */
function KeyField({ door }: { door: Door }) {
  const id = useId();
  const [found, setFound] = useState<IdentityGroup[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const choose = (avatar: string) => navigate(doorPath(door, avatar), { replace: true });
  const look = async (event: SubmitEvent) => {
    const text = formText(event)('key').trim();
    setBusy(true);
    setError(null);
    setFound(null);
    try {
      const asked = guess(text, await platformList());
      if (asked.kind === 'key') return choose(asked.avatar);
      const { groups } = await readHolders(
        asked.kind === 'name' ? asked : { identity: asked.uuid },
        SHOWN,
        AbortSignal.timeout(30_000),
      );
      setFound(groups.slice(0, SHOWN));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <form class="fields" onSubmit={(event) => void look(event)}>
        <label for={id}>{t('recovery.which_key')}</label>
        <input id={id} name="key" dir="auto" autocomplete="off" autocapitalize="none" spellcheck={false} required />
        <button type="submit" class="primary" disabled={isBusy}>
          {t('bind.go_on')}
        </button>
      </form>
      {error !== null && <Failure error={error} />}
      <div role="status">{found?.length === 0 && <p class="problem-text">{t('look.nobody')}</p>}</div>
      {found && found.length > 0 && (
        <section>
          <h2>{t('recovery.which_of_these')}</h2>
          <ul class="found-keys">
            {found.map((group) => (
              <li key={group.avatar}>
                <button type="button" onClick={() => choose(group.avatar)}>
                  <Seal avatar={group.avatar} size={40} />
                  <span>
                    <code>{`${group.avatar.slice(0, 12)}…${group.avatar.slice(-8)}`}</code>
                    <Holding group={group} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** What a key holds, by which its owner knows it. */
function Holding({ group: { proofs } }: { group: IdentityGroup }) {
  return (
    <span class="small quiet">
      {proofs.slice(0, 4).map(({ platform, identity }, place) => (
        <span key={`${platform} ${identity}`}>
          {place > 0 && ', '}
          {platformName(platform)} <Identity name={identity} />
        </span>
      ))}
      {proofs.length > 4 && ', …'}
    </span>
  );
}
