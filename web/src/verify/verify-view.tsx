import type { ExportFile, ExportVerification } from '@signet/verify';
import { readTextFile } from '@signet/verify/files';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
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
  const newest = useRef<File | null>(null);
  const read = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (!file) return;
    newest.current = file;
    const text = file.size > MAX_BYTES ? '' : await textOf(file);
    // A larger one that was chosen before may be read later.
    if (newest.current !== file) return;
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

/** The text in a file; null where it holds none, or cannot be read, as after it was removed. */
async function textOf(file: File): Promise<string | null> {
  try {
    return readTextFile(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return null;
  }
}

/** What came of the file and of what is expected of it. Checking a large one takes a moment, so it is remembered. */
function useChecked(text: string | null, expected: Expected): CheckedFile & { isWaiting: boolean } {
  const { checked: alone, logProblem } = useMemo(() => checkFile(text, expected), [text, expected]);
  const file = alone && hasProofs(alone) ? alone.file : null;
  // Of the file alone, so that what a person goes on to expect does not take the result away meanwhile.
  const proofs = useAnswer(async () => ({ text, merge: file && (await checkProofs(file)) }), [text, file !== null]);
  const known = proofs.state === 'there' && proofs.value.text === text ? proofs.value : null;
  const isWaiting = file !== null && known === null && proofs.state !== 'failed';
  const checked = useMemo(
    () => (isWaiting || !alone ? null : (known?.merge?.(alone) ?? alone)),
    [alone, known, isWaiting],
  );
  useEffect(() => {
    if (checked) announce(t(checked.ok ? 'look.file_ok' : 'look.file_failed'));
  }, [checked]);
  return { checked, logProblem, isWaiting };
}

function hasProofs({ steps }: ExportVerification): boolean {
  return steps.some(({ name }) => name === PLATFORM_PROOF);
}

/** Adds what platforms have signed to what came of a file; null where what checks it does not load. */
async function checkProofs(file: ExportFile): Promise<((checked: ExportVerification) => ExportVerification) | null> {
  const module = await import('./platform-proofs.js').catch(() => null);
  if (!module) return null;
  const proofs = await module.platformProofs(file);
  return (checked) => module.withPlatformProofs(checked, proofs);
}
