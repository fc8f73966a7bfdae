/**
 * Exit code 0 if the service of this container is ready, 1 if not: HEALTHCHECK of docker/Dockerfile, whose image has no
 * curl.
 */
const url = `http://127.0.0.1:${process.env.PORT || 3000}/readyz`;
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
