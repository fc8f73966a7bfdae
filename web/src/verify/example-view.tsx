import { verifyExport } from '@signet/verify';
import { useMemo } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { cutInTheMiddle } from '../parts/names.js';
import { ProfilePicture, ProfileWords } from '../parts/profile-head.js';
import { Seal } from '../parts/seal.js';
import { useTitle } from '../shell/frame.js';
import { useAnswer } from '../shell/use-answer.js';
import { checkFile } from './check-file.js';
import facts from './example-facts.json';
import trusted from './example-policy.json';
import { profileIn } from './file-profile.js';
import { FileResult } from './file-result.js';

/**
 * `/example`: what a key and its accounts look like, from a file that comes with the page. No server knows this key;
 * the file is checked here like any other.
 */
export default function ExampleView() {
  useTitle(t('look.example_title'));
  const file = useAnswer(readExample, []);
  const text = file.state === 'there' ? file.value : null;
  const result = useMemo(() => checkFile(text, { avatar: facts.avatar, log: trusted.policy }).checked, [text]);
  const profile = result?.ok && result.file ? profileIn(result.file) : null;
  return (
    <>
      <p class="tag">{t('look.example_tag')}</p>
      <header class="avatar-head">
        <Seal avatar={facts.avatar} size={120} />
        {profile?.picture && <ProfilePicture picture={profile.picture} size={96} />}
        <div>
          <p class="overline">
            <code title={facts.avatar}>{cutInTheMiddle(facts.avatar, 22)}</code>
          </p>
          <h1>{facts.name}</h1>
          {profile && <ProfileWords profile={profile} />}
        </div>
      </header>
      <p class="caution">{t('look.example_text')}</p>
      {file.state === 'failed' && <Failure error={file.error} again={file.again} />}
      {result && <FileResult result={result} isExample />}
      <p class="actions">
        <a class="button primary" href="/bind">
          {t('look.example_your_own')}
        </a>
        <a class="button" href="/example.json" download data-reload>
          {t('look.example_file')}
        </a>
      </p>
    </>
  );
}

/** @throws TypeError without a connection */
async function readExample(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/example.json', { signal });
  const text = await answer.text();
  // A host that answers its start page for everything has no such file.
  if (!answer.ok || !verifyExport(text).file) throw new TypeError('The example is not there.');
  return text;
}
