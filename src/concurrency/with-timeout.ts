/**
 * What `work` answers, or what `onTimeout` answers or throws if `work` takes longer than `ms` milliseconds. The work
 * itself goes on then, and what comes of it is ignored, a rejection too.
 *
 * Own code, because p-timeout does the same and its current major needs Node 22, while this service runs on Node 20.
 */
export async function withTimeout<Result, Late = Result>(
  work: Promise<Result>,
  ms: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Late>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error as Error);
      }
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
