/** The data folder cannot be used; the message is one sentence for people that says what to do. */
export class DataFolderUnusableError extends Error {
  override readonly name = 'DataFolderUnusableError';
}

/** What the system says with a code, and what the engine and the programs below us say with the code in their text. */
const CODES = /\b(EACCES|EPERM|EROFS|EEXIST|ENOTDIR|ENOSPC|EDQUOT)\b/;
const FULL = /no space left on device/i;

/**
 * The error to show people when `error` came of working in the data folder; `error` itself where it has another cause.
 * @param folder absolute path
 */
export function explainFolderError(folder: string, error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const known = CODES.exec(code)?.[1] ?? CODES.exec(message)?.[1] ?? (FULL.test(message) ? 'ENOSPC' : '');
  const sentence = sentenceOf(known, folder);
  return sentence === null ? error : new DataFolderUnusableError(sentence, { cause: error });
}

function sentenceOf(code: string, folder: string): string | null {
  switch (code) {
    case 'EACCES':
    case 'EPERM': {
      const user = process.geteuid?.();
      const owner = user === undefined ? '' : ` (chown -R ${user} ${folder})`;
      return (
        `The data folder ${folder} is not writable for this user${user === undefined ? '' : ` (uid ${user})`}. ` +
        `Make this user its owner${owner}, or set DATA_DIR to another folder.`
      );
    }
    case 'EROFS':
      return `The data folder ${folder} is on a read-only file system. Mount it for writing, or set DATA_DIR to another folder.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `The data folder ${folder} is a file, or lies below one. Move that file away, or set DATA_DIR to another folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of the data folder ${folder} is full. Make room on it, or set DATA_DIR to a folder on another disk.`;
    default:
      return null;
  }
}
