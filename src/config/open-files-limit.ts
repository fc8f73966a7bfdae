/**
 * How many files this process may have open. Node raises its own limit to the highest that is allowed; `Infinity` where
 * nothing is limited, or nothing known.
 */
export function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Infinity;
}
