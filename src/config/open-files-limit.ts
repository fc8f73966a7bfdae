let known: number | undefined;

/**
 * How many files this process may have open. Node raises its own limit to the highest that is allowed; `Infinity` where
 * nothing is limited, or nothing known.
 */
export function openFilesLimit(): number {
  return (known ??= readLimit());
}

/** From a report of the whole process, which takes the longer the more sockets there are. */
function readLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Infinity;
}

/** Whether `error` or one of its causes says that no more files can be opened; a thread says so in its message. */
export function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return /\bE[MN]FILE\b/.test(`${code} ${error.message}`) || isOutOfFiles(error.cause);
}
