import type { EventType, SignetEvent } from '@signet/sdk';
import { printable, timeText } from '../terminal/printer.js';
import { wholeNumber } from '../options.js';
import { defineCommand, type Session } from '../session.js';

interface EventFlags {
  follow?: boolean;
  after?: number;
  avatar?: string;
  mine?: boolean;
  platform?: string;
  types?: string;
}

export const events = defineCommand<EventFlags>({
  usage: 'events',
  summary: 'what has happened, and with --follow what happens',
  details:
    'Without --follow: all events that the server still keeps (behind --after), and then the end. With it: events as ' +
    'they happen, through breaks and restarts of the server, until Ctrl-C; from now on, or behind --after.',
  examples: [
    ['signet events --follow --mine', 'whatever happens to your bindings'],
    ['signet events --after 1200 --types proof.revoked,proof.invalidated --json', 'what became void since'],
  ],
  options: (command) =>
    command
      .option('-f, --follow', 'go on until Ctrl-C')
      .option('--after <position>', 'only events behind this position', wholeNumber)
      .option('--avatar <key>', 'of this Avatar only')
      .option('--mine', 'of your own Avatar only')
      .option('-p, --platform <platform>', 'of this platform only')
      .option('--types <types>', 'of these types only, with commas between them'),
  async run(session, _words, { follow, after, avatar: named, mine, platform, types }) {
    const avatar = named !== undefined || mine ? await session.keys.avatarOr(named) : undefined;
    // The server says which types there are.
    const filter = { avatar, platform, types: types?.split(',') as EventType[] | undefined };
    if (follow) {
      const stream = session.client().events({ ...filter, after, signal: session.signal });
      for await (const event of stream) show(session, event);
    } else {
      await showUntilNow(session, filter, after ?? 0);
    }
  },
});

/** Reads up to the position that the stream had at the beginning. */
async function showUntilNow(
  session: Session,
  filter: { avatar: string | undefined; platform: string | undefined; types: EventType[] | undefined },
  after: number,
): Promise<void> {
  const client = session.client();
  const head = await client.position({ signal: session.signal });
  if (head <= after) return;
  const done = new AbortController();
  const signal = AbortSignal.any([session.signal, done.signal]);
  // Where the filter leaves out the newest events, the server reports the position that it has passed.
  const onPosition = (position: number) => position >= head && done.abort();
  try {
    for await (const event of client.events({ ...filter, after, signal, onPosition })) {
      if (event.position <= head) show(session, event);
      if (event.position >= head) return;
    }
  } catch (error) {
    if (!done.signal.aborted) throw error;
  }
}

function show({ printer }: Session, event: SignetEvent): void {
  if (printer.isJson) {
    printer.json(event);
    return;
  }
  const { position, recorded_at, type, avatar } = event;
  const subject = 'platform' in event ? [event.platform, event.identity] : [event.action, event.signer];
  const what = `${printer.styled(printable(type).padEnd(17), 'bold')}  ${subject.map((text) => printable(text)).join(' ')}`;
  printer.line(
    `${String(position).padStart(6)}  ${timeText(recorded_at)}  ${what}  ${printer.styled(printable(avatar), 'dim')}`,
  );
}
