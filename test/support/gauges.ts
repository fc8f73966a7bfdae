import type { RunningApp } from './app.js';
import { until } from './until.js';

/**
 * What a server shows to Prometheus, with the numbers that it reads from its database: it leaves them out where the
 * database takes longer than two seconds, as on a busy machine.
 */
export async function metricsWithGauges({ baseUrl }: Pick<RunningApp, 'baseUrl'>): Promise<string> {
  let text = '';
  await until(async () => {
    text = await (await fetch(`${baseUrl}/metrics`)).text();
    return /^signet_database_up 1$/m.test(text);
  });
  return text;
}
