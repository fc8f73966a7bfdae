import type { ExportVerification, SignedPatch, Step, Verification } from '@signet/verify';
import { bindingKey } from '@signet/verify/internal/chains';
import type { AddFields, SignedKeyEvent } from '@signet/verify/key-events';
import type { SigningApp } from '../chain/app-keys.js';
import { rich, t } from '../i18n/i18n.js';
import { cutInTheMiddle, Identity, platformName, Seen } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { ProfilePicture, ProfileWords } from '../parts/profile-head.js';
import { Seal } from '../parts/seal.js';
import { CheckedHere } from '../parts/signs.js';
import { FoldedSteps, type ShownStep, StepList } from '../parts/steps.js';
import { Time } from '../parts/time.js';
import { avatarPath } from '../shell/router.js';
import { LinkChain, PatchChain } from '../chain/chain-list.js';
import { profileIn } from './file-profile.js';

/** That posts cannot be looked at here is no outcome of the file: it is said once, apart, and again at each link. */
function isUnseenPost({ name, state }: Step): boolean {
  return name === 'post' && state === 'not_checkable';
}

/** The steps of a file. That all of a list verifies, which the verifier says in English, is in words of the page. */
function shownSteps({ file, chain, patches, steps }: ExportVerification): ShownStep[] {
  const isWhole = (list: Verification) => list.steps.every((step) => step.state === 'ok' || isUnseenPost(step));
  const all = (count: number, list: Verification, text: 'look.content_ok' | 'look.links_ok'): ShownStep[] =>
    count > 0 && isWhole(list) ? [{ name: 'all', state: 'ok', detail: '', text: t(text, { count }) }] : [];
  return steps
    .filter((step) => step.name !== 'all' && !isUnseenPost(step))
    .flatMap((step): ShownStep[] => {
      if (step.name !== 'content' || !file) return [step];
      return [
        step,
        ...all(file.links.length, chain, 'look.links_ok'),
        ...all(file.patches.length, patches, 'look.content_ok'),
      ];
    });
}

/** The app whose key signed a patch, by the key events of the file, which may hold anything; null for the Avatar. */
function appOf({ signer: key }: SignedPatch, { keys = [] }: { keys?: unknown[] | undefined }): SigningApp | null {
  if (key === undefined) return null;
  const added = (keys as (Partial<SignedKeyEvent> | null)[]).flatMap((event) =>
    event?.action === 'key.add' && event.fields ? [event.fields as AddFields] : [],
  );
  return { key, origin: added.findLast((fields) => fields.key === key)?.origin };
}

/**
 * What came of the checks of a file. The file of the example has a head of its own, and its key has no page. Icons are
 * another file of the server, which is not asked for what may be looked at without it.
 */
export function FileResult({ result, isExample = false }: { result: ExportVerification; isExample?: boolean }) {
  const { file, chain, patches, bindings, ok, steps } = result;
  const profile = ok && file && !isExample ? profileIn(file) : null;
  return (
    <section class="file-result">
      <h2>{t('look.checked_here')}</h2>
      <CheckedHere state={ok ? 'ok' : 'failed'}>{t(ok ? 'look.file_ok' : 'look.file_failed')}</CheckedHere>
      {file && !isExample && (
        <div class="avatar-head">
          <Seal avatar={file.avatar} size={64} />
          {profile?.picture && <ProfilePicture picture={profile.picture} size={56} />}
          <div>
            {profile?.name && <bdi class="profile-name">{profile.name}</bdi>}
            <a href={avatarPath(file.avatar)}>
              <code>{cutInTheMiddle(file.avatar, 22)}</code>
            </a>
            <p class="quiet small">
              {rich('look.file_from', {
                server: (
                  <bdi>
                    <Seen text={file.server} />
                  </bdi>
                ),
                time: <Time seconds={file.exported_at} exact />,
              })}
            </p>
            {profile && <ProfileWords profile={profile} />}
          </div>
        </div>
      )}
      <StepList steps={shownSteps(result)} />
      {steps.some(isUnseenPost) && <p class="quiet small">{t('look.post_not_checkable')}</p>}
      {file && (
        <>
          <h3>{t('look.bindings')}</h3>
          <ul class="entries">
            {bindings.map(({ binding, steps: own }) => (
              <li key={bindingKey(binding)}>
                <h4 class="named">
                  {isExample && <PlatformIcon platform={binding.platform} />}
                  <span>
                    <span class="platform">{platformName(binding.platform)}</span> <Identity name={binding.identity} />
                  </span>
                </h4>
                <FoldedSteps steps={own} />
              </li>
            ))}
          </ul>
          <h3>{t('look.chain')}</h3>
          <LinkChain links={chain.links.map(({ link, ...checks }) => ({ item: link as never, ...checks }))} />
          {file.patches.length > 0 && (
            <>
              <h3>{t('look.patches', { count: file.patches.length })}</h3>
              <PatchChain
                patches={patches.patches.map((checks, index) => {
                  const item = file.patches[index]!;
                  return { item: item as never, ...checks, app: appOf(item, file) };
                })}
              />
            </>
          )}
        </>
      )}
    </section>
  );
}
