import { setTimeout as delay } from 'node:timers/promises';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { metricsWithGauges } from '../support/gauges.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { openSse } from '../support/sse-client.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';

/** Label sets and values by metric, read without the library that wrote them. */
type Samples = Map<string, { labels: Record<string, string>; value: number }[]>;

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i;

function parse(text: string): Samples {
  const samples: Samples = new Map();
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, name, labelText = '', number] = SAMPLE.exec(line)!;
    const labels = Object.fromEntries([...labelText.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]));
    samples.set(name!, [...(samples.get(name!) ?? []), { labels, value: Number(number) }]);
  }
  return samples;
}

/** The service keeps its text for half a second. */
const KEPT_MS = 500;

async function scrape(running: RunningApp): Promise<Samples> {
  await delay(KEPT_MS + 10);
  return parse(await metricsWithGauges(running));
}

/** The value of the one sample that has these labels, or undefined. */
function valueOf(samples: Samples, name: string, wanted: Record<string, string> = {}): number | undefined {
  const found = samples
    .get(name)
    ?.filter(({ labels }) => Object.entries(wanted).every(([key, text]) => labels[key] === text));
  if (found && found.length > 1) throw new Error(`${name} has ${found.length} samples with ${JSON.stringify(wanted)}.`);
  return found?.[0]?.value;
}

const alice = anAvatar('alice');

describe('the numbers for Prometheus', () => {
  let running: RunningApp;
  let receiver: StandIn;
  beforeAll(async () => {
    receiver = await startStandIn(() => ({ status: 204 }));
    running = await startApp({
      env: {
        WEBHOOKS: JSON.stringify([{ url: receiver.baseUrl, secret: `whsec_${Buffer.alloc(32).toString('base64')}` }]),
        WEBHOOK_ALLOW_PRIVATE: 'true',
      },
    });
  });
  afterAll(async () => {
    await running.close();
    await receiver.close();
  });

  it('count requests by route and status, and never by path', async () => {
    await running.get(`/v1/proofchain?public_key=${alice.key.compressed}`);
    await running.get(`/v1/proofchain?public_key=${anAvatar('bob').key.compressed}`);
    await running.get('/v1/proofchain');
    for (let n = 0; n < 20; n += 1) await running.get(`/wp-admin/${n}.php`);

    const samples = await scrape(running);

    const count = (route: string, status: string) =>
      valueOf(samples, 'signet_http_request_duration_seconds_count', { method: 'GET', route, status });
    expect(count('/v1/proofchain', '200')).toBe(2);
    expect(count('/v1/proofchain', '400')).toBe(1);
    expect(count('unmatched', '404')).toBe(20);
    const counts = samples.get('signet_http_request_duration_seconds_count')!;
    const routes = new Set(counts.map(({ labels }) => labels['route']));
    expect([...routes].sort()).toEqual(['/v1/proofchain', 'unmatched']);
  });

  it('count submits and checks by platform and by what came of them', async () => {
    const wallet = aWallet('submits');
    await linkWallet(running, alice, wallet);
    await linkWallet(running, alice, wallet, { action: 'delete' });
    const payload = await walletPayload(running, alice, wallet);
    const unsigned = signedSubmit(payload.body, alice, aWallet('stranger'), { submit: { identity: wallet.address } });
    expect((await running.post('/v1/proof', unsigned)).body.code).toBe('invalid_signature');
    await running.post('/v1/proof', { platform: 'made-up-by-the-caller', action: '<script>' });

    const samples = await scrape(running);

    const submits = (labels: Record<string, string>) => valueOf(samples, 'signet_submits_total', labels);
    expect(submits({ platform: 'ethereum', action: 'create', outcome: 'recorded' })).toBe(1);
    expect(submits({ platform: 'ethereum', action: 'delete', outcome: 'recorded' })).toBe(1);
    expect(submits({ platform: 'ethereum', action: 'create', outcome: 'invalid_signature' })).toBe(1);
    expect(submits({ platform: 'other', action: 'other' })).toBe(1);
    const checks = (outcome: string) =>
      valueOf(samples, 'signet_check_duration_seconds_count', { platform: 'ethereum', reason: 'create', outcome });
    expect({ valid: checks('valid'), invalid: checks('invalid') }).toEqual({ valid: 1, invalid: 1 });
  });

  it('tell of webhooks and of what waits', async () => {
    let samples = await scrape(running);
    // Two events, which every listener has had; what the database tells is up to five seconds old.
    await until(async () => {
      samples = await scrape(running);
      const delivered = valueOf(samples, 'signet_webhook_turns_total', { outcome: 'delivered' });
      return delivered === 2 && valueOf(samples, 'signet_event_position') === 2;
    });

    expect(valueOf(samples, 'signet_database_up')).toBe(1);
    expect(valueOf(samples, 'signet_links')).toBe(2);
    expect(valueOf(samples, 'signet_events_unnumbered')).toBe(0);
    expect(valueOf(samples, 'signet_events_parked')).toBe(0);
    expect(valueOf(samples, 'signet_event_handler_lag', { handler: 'revalidation' })).toBeLessThanOrEqual(2);
    expect(valueOf(samples, 'signet_jobs', { queue: 'webhook', state: 'dead' })).toBe(0);
    expect(valueOf(samples, 'signet_rechecks_due', { platform: 'github' })).toBe(0);
    expect(valueOf(samples, 'signet_table_bytes', { table: 'chain_link' })).toBeGreaterThan(0);
  });

  it('tell of open streams, and leave their long lives out of the latencies', async () => {
    const stream = await openSse(running.baseUrl);
    expect(valueOf(await scrape(running), 'signet_event_streams_open')).toBe(1);

    stream.close();

    await until(async () => valueOf(await scrape(running), 'signet_event_streams_open') === 0);
    const samples = await scrape(running);
    expect(valueOf(samples, 'signet_http_request_duration_seconds_count', { route: '/v1/events' })).toBeUndefined();
  });

  it('tell how the process, its event loop and its pool are', async () => {
    const samples = await scrape(running);

    expect(valueOf(samples, 'signet_build_info', { node: process.version })).toBe(1);
    expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(valueOf(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(valueOf(samples, 'signet_pool_waiting')).toBe(0);
    expect(samples.get('signet_pool_connections')!.map(({ labels }) => labels['state'])).toEqual(['used', 'idle']);
  });

  it('call no gauge a total, and no counter anything else', async () => {
    const text = await metricsWithGauges(running);

    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name: name!, type }));
    expect(types.length).toBeGreaterThan(40);
    expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  });

  it('hold no key, no identity and no address', async () => {
    const response = await fetch(`${running.baseUrl}/metrics`);
    const text = await response.text();

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; .*version=0\.0\.4/);
    expect(text).not.toContain(alice.key.compressed.slice(2, 20));
    expect(text).not.toContain(aWallet('submits').address);
    expect(text).not.toContain('127.0.0.1');
    expect(text).not.toContain('made-up-by-the-caller');
  });

  it('can be asked for by many at once for the price of one', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => scrape(running)));

    expect(answers.every((samples) => valueOf(samples, 'signet_database_up') === 1)).toBe(true);
  });
});

describe('METRICS=off', () => {
  it('takes the route away', async () => {
    const running = await startApp({ env: { METRICS: 'off' } });

    const { status, body } = await running.get('/metrics');

    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
    await running.close();
  });
});
