import type { ExportVerification, Step } from '@signet/verify';
import { bindingKey } from '@signet/verify';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { rich, t } from '../i18n/i18n.js';
import { cutInTheMiddle, Identity, platformName } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { CheckedHere } from '../parts/signs.js';
import { StepList } from '../parts/steps.js';
import { Time } from '../parts/time.js';
import { announce } from '../shell/announce.js';
import { useTitle } from '../shell/frame.js';
import { avatarPath } from '../shell/router.js';
import { LinkChain, PatchChain } from './chain-list.js';
import { checkFile, type CheckedFile, type Expected } from './check-file.js';
import { ExpectedFields } from './expected-fields.js';

/** Larger files are not exports of one key. */
const MAX_BYTES = 64 << 20;

/** `/verify`: checks an exported file in this browser; nothing is sent anywhere. */
export default function VerifyView() {
  useTitle(t('look.verify_title'));
  const [text, setText] = useState<string | null>(null);
  const [expected, setExpected] = useState<Expected>({ avatar: '', log: '' });
  const [isOver, setOver] = useState(false);
  const result = useChecked(text, expected);
  const read = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) setText(file.size > MAX_BYTES ? '' : await file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer?.files);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type !== 'dragleave');
  };
  return (
    <>
      <h1>{t('look.verify_title')}</h1>
      <p class="lead">{t('look.verify_text')}</p>
      <div class={isOver ? 'drop-zone over' : 'drop-zone'} onDrop={drop} onDragOver={drag} onDragLeave={drag}>
        <label for="export-file">{t('look.drop_here')}</label>
        <input
          id="export-file"
          type="file"
          accept="application/json,.json"
          onChange={(event) => void read(event.currentTarget.files)}
        />
      </div>
      <ExpectedFields expected={expected} onChange={setExpected} logProblem={result.logProblem} />
      {result.checked && <Result result={result.checked} />}
    </>
  );
}

/** What came of the file and of what is expected of it. Checking a large one takes a moment, so it is remembered. */
function useChecked(text: string | null, expected: Expected): CheckedFile {
  const result = useMemo(() => checkFile(text, expected), [text, expected.avatar, expected.log]);
  useEffect(() => {
    if (result.checked) announce(t(result.checked.ok ? 'look.file_ok' : 'look.file_failed'));
  }, [result]);
  return result;
}

/** That posts cannot be looked at here is told once, and again at each link. */
function toldOnce(steps: Step[]): Step[] {
  const isPost = ({ name, state }: Step) => name === 'post' && state === 'not_checkable';
  return steps.filter((step, index) => !isPost(step) || index === steps.findIndex(isPost));
}

function Result({ result }: { result: ExportVerification }) {
  const { file, chain, patches, bindings, ok, steps } = result;
  return (
    <section class="file-result">
      <h2>{t('look.checked_here')}</h2>
      <CheckedHere state={ok ? 'ok' : 'failed'}>{t(ok ? 'look.file_ok' : 'look.file_failed')}</CheckedHere>
      {file && (
        <p class="avatar-head">
          <Seal avatar={file.avatar} size={64} />
          <span>
            <a href={avatarPath(file.avatar)}>
              <code>{cutInTheMiddle(file.avatar, 22)}</code>
            </a>
            <br />
            <span class="quiet small">
              {rich('look.file_from', {
                server: <bdi>{file.server}</bdi>,
                time: <Time seconds={file.exported_at} exact />,
              })}
            </span>
          </span>
        </p>
      )}
      <StepList steps={toldOnce(steps)} />
      {file && (
        <>
          <h3>{t('look.bindings')}</h3>
          <ul class="entries">
            {bindings.map(({ binding, steps: own }) => (
              <li key={bindingKey(binding)}>
                <h4>
                  <span class="platform">{platformName(binding.platform)}</span> <Identity name={binding.identity} />
                </h4>
                <StepList steps={own} />
              </li>
            ))}
          </ul>
          <h3>{t('look.chain')}</h3>
          <LinkChain links={chain.links.map(({ link, ...checks }) => ({ item: link as never, ...checks }))} />
          {file.patches.length > 0 && (
            <>
              <h3>{t('look.patches', { count: file.patches.length })}</h3>
              <PatchChain
                patches={patches.patches.map((checks, index) => ({ item: file.patches[index] as never, ...checks }))}
              />
            </>
          )}
        </>
      )}
    </section>
  );
}
