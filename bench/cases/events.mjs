/** 100 readers of the event stream while 100 bindings a second are made. */
import { milliseconds, number } from '../report.mjs';
import { freshBinding } from './writes.mjs';

/** @import { Progress, Stage } from '../types.d.ts' */

const READERS = 100;
const RATE = 100;
const LONGEST_P99_MS = 250;

/** @param {Stage} stage @param {Progress} progress */
async function run(stage, progress) {
  const service = await stage.serviceWith({});
  try {
    const load = await stage.load();
    const requests = Array.from(
      { length: Math.ceil(RATE * Math.max(2, 2 * stage.settings.seconds)) },
      () => freshBinding().body,
    );
    progress(`${READERS} readers, ${requests.length} events`);
    const { count, expected, p50, p99, max } = await load.ask({
      kind: 'stream',
      port: service.port,
      readers: READERS,
      requests,
      rate: RATE,
    });
    const notes = [
      `${number(requests.length)} events at ${RATE}/s to ${READERS} readers: ${number(count)} of ${number(expected)} deliveries.`,
      `From the 201, which follows the commit, to the reader: p50 ${milliseconds(p50)} ms, p99 ${milliseconds(p99)} ms, longest ${milliseconds(max)} ms.`,
    ];
    const met = count === expected && p99 < LONGEST_P99_MS;
    return {
      notes,
      p50,
      p99,
      verdict: {
        text: 'each event to all readers, p99 under 250 ms',
        met,
        seen: `${count} of ${expected}, ${milliseconds(p99)} ms`,
      },
    };
  } finally {
    await service.stop();
  }
}

export const EVENTS = { name: 'events', title: 'event stream, 100 readers, 100 events/s', run };
