import type { ExportVerification } from '@signet/verify';
import { readTextFile } from '@signet/verify/files';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';
import { useTitle } from '../shell/frame.js';
import { useAnswer } from '../shell/use-answer.js';
import { checkFile, type CheckedFile, type Expected, PLATFORM_PROOF } from './check-file.js';
import { ExpectedFields } from './expected-fields.js';
import { FileResult } from './file-result.js';

/** Larger files are not exports of one key. */
const MAX_BYTES = 64 << 20;

/** `/verify`: checks an exported file in this browser; nothing is sent anywhere. */
export default function VerifyView() {
  useTitle(t('look.verify_title'));
  const [text, setText] = useState<string | null>(null);
  const [expected, setExpected] = useState<Expected>({ avatar: '', log: '' });
  const [problem, setProblem] = useState('');
  const [isOver, setOver] = useState(false);
  const result = useChecked(text, expected);
  const read = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (!file) return;
    const text = file.size > MAX_BYTES ? '' : readTextOf(new Uint8Array(await file.arrayBuffer()));
    setText(text);
    setProblem(text === null ? t('look.file_not_text') : '');
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
      <p class="problem-text" role="status">
        {problem}
      </p>
      <ExpectedFields expected={expected} onChange={setExpected} logProblem={result.logProblem} />
      {result.isWaiting && <p class="waiting">{t('look.checking')}</p>}
      {result.checked && <FileResult result={result.checked} />}
    </>
  );
}

/** The text in the bytes of a file; null where they hold none. */
function readTextOf(bytes: Uint8Array): string | null {
  try {
    return readTextFile(bytes);
  } catch {
    return null;
  }
}

/** What came of the file and of what is expected of it. Checking a large one takes a moment, so it is remembered. */
function useChecked(text: string | null, expected: Expected): CheckedFile & { isWaiting: boolean } {
  const { checked: alone, logProblem } = useMemo(() => checkFile(text, expected), [text, expected]);
  const whole = useAnswer(async () => ({ alone, checked: await withProofs(alone) }), [alone]);
  // What was checked of another file is not shown for this one.
  const isWaiting =
    alone !== null && (whole.state === 'waiting' || (whole.state === 'there' && whole.value.alone !== alone));
  const checked = whole.state === 'there' && !isWaiting ? whole.value.checked : null;
  useEffect(() => {
    if (checked) announce(t(checked.ok ? 'look.file_ok' : 'look.file_failed'));
  }, [checked]);
  return { checked, logProblem, isWaiting };
}

/** With what platforms have signed; without, where what checks it does not load, as without a network. */
async function withProofs(checked: ExportVerification | null): Promise<ExportVerification | null> {
  const { file = null, steps = [] } = checked ?? {};
  if (!checked || !file || !steps.some(({ name }) => name === PLATFORM_PROOF)) return checked;
  const proofs = await import('./platform-proofs.js').catch(() => null);
  return proofs ? proofs.withPlatformProofs(checked, file) : checked;
}
