/** Links that were signed and are not recorded yet. */
import { SIGNATURE_PLACEHOLDER, WALLET_PLATFORMS } from '@signet/verify/bindings';
import { CLOCK_SPREAD_SECONDS } from '@signet/verify/internal';
import type { RecordedLinkItem } from '@signet/verify/internal/log';
import type { ChainLink, LinkAnswer, Pagination } from '../answers.js';
import { refuse } from '../checks.js';
import { InvalidRequestError } from '../errors.js';
import { pause } from '../transport.js';
import type { CheckedReads } from '../client/checked-reads.js';
import { submit } from './submit.js';

/** A link that was signed and is not recorded yet; plain JSON, so that it can be kept. Holds no secret. */
export interface DraftState {
  version: 1;
  action: 'create' | 'delete';
  platform: string;
  /** Canonical identity. */
  identity: string;
  /** Compressed key. */
  avatar: string;
  uuid: string;
  created_at: string;
  /** The text that was signed; absent in a draft that a version before 0.2.0 kept. */
  sign_payload?: string;
  post_content: { [language: string]: string };
  extra: {
    signature: string;
    wallet_signature?: string;
    wallet_message?: string;
    chain_id?: number;
    block_number?: number;
    rel?: 'me' | undefined;
  };
  proof_location?: string;
}

/** What was recorded. */
export interface RecordedLink {
  avatar: string;
  platform: string;
  identity: string;
  uuid: string;
  created_at: string;
  proof_location: string;
  /** The promise of the log to hold this link, as its key signed it; null where the server gave none. */
  receipt: string | null;
}

/** What `onProgress` gets while a post is awaited. */
export interface WaitingForPost {
  /** How often the server has looked. */
  tries: number;
  /** Milliseconds until it looks again. */
  waitMs: number;
  /** What the server said, a sentence for people. */
  reason: string;
}

/** How a draft is submitted. */
export interface SubmitOptions {
  /** Where the post is, on platforms that need it; kept in the draft. */
  location?: string | undefined;
  onProgress?: ((progress: WaitingForPost) => void) | undefined;
  /** How long a post that is not visible yet is awaited, milliseconds; 10 minutes when absent, 0 for one try. */
  patienceMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

const PATIENCE_MS = 600_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** What the server says while a post is not there yet, or its platform does not answer. */
const NOT_YET = ['proof_rejected', 'platform_unavailable'];

/** A signed link with the text to publish. `toJSON` keeps it; `client.resume` goes on with it. */
export class Draft {
  constructor(
    private readonly reads: CheckedReads,
    private readonly state: DraftState,
  ) {}

  get platform(): string {
    return this.state.platform;
  }

  /** Canonical identity. */
  get identity(): string {
    return this.state.identity;
  }

  get avatar(): string {
    return this.state.avatar;
  }

  get uuid(): string {
    return this.state.uuid;
  }

  /**
   * The text to publish, signature included, in a language such as `zh_CN` where the server has it; the link to set in
   * the head of a page that names the key alone.
   */
  text(language = 'default'): string {
    const { avatar, post_content: texts, extra } = this.state;
    if (extra.rel) return `<link rel="me" href="${this.reads.transport.baseUrl}/a/${avatar}">`;
    const text = Object.hasOwn(texts, language) ? texts[language]! : texts['default']!;
    return text.replace(SIGNATURE_PLACEHOLDER, extra.signature);
  }

  /** The languages of `text`. */
  get languages(): string[] {
    return Object.keys(this.state.post_content);
  }

  toJSON(): DraftState {
    return structuredClone(this.state);
  }

  /**
   * Submits the link. Waits while a post is not visible yet: 1, 2, 4 … 60 seconds. Safe to call again after any error.
   * @throws StaleChainError if the Avatar has signed another link meanwhile; OutcomeUnknownError; SignetError
   */
  async submit({ location, onProgress, patienceMs = PATIENCE_MS, signal }: SubmitOptions = {}): Promise<RecordedLink> {
    if (location) this.state.proof_location = location;
    const startedAt = Date.now();
    for (let tries = 1; ; tries++) {
      try {
        return await this.submitOnce(signal);
      } catch (error) {
        const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
        if (!this.isAwaited(error) || !(Date.now() + waitMs <= startedAt + patienceMs)) throw error;
        onProgress?.({ tries, waitMs, reason: (error as Error).message });
        await pause(waitMs, signal);
      }
    }
  }

  /** A wallet's signature is right or not; only a post can still appear. */
  private isAwaited(error: unknown): boolean {
    const isPost = this.state.action === 'create' && this.state.extra.wallet_signature === undefined;
    return isPost && error instanceof InvalidRequestError && NOT_YET.includes(error.code);
  }

  private async submitOnce(signal: AbortSignal | undefined): Promise<RecordedLink> {
    const { action, platform, identity, avatar, uuid, created_at, extra, proof_location } = this.state;
    const body = {
      action,
      platform,
      identity,
      public_key: avatar,
      uuid,
      created_at,
      extra,
      ...(proof_location === undefined ? {} : { proof_location }),
    };
    const call = { method: 'POST', path: '/v1/proof', body, signal } as const;
    const seen: { link: ChainLink | null } = { link: null };
    const isRecorded = async () => (seen.link = await this.find(signal)) !== null;
    const answer = await submit<LinkAnswer>(this.reads.transport, call, isRecorded);
    const item = async () => {
      const isWhole = answer?.extra && this.state.sign_payload;
      return this.recorded(answer, seen.link ?? (isWhole ? null : await this.find(signal)));
    };
    const written = { kind: 'link', avatar, uuid, createdAt: Number(created_at), item } as const;
    const receipt = await this.reads.takeReceipt(answer?.receipt, written, signal);
    const location = answer?.proof_location ?? seen.link?.proof_location ?? proof_location ?? '';
    return { avatar, platform, identity, uuid, created_at, proof_location: location, receipt };
  }

  /**
   * The link as it is recorded: what was signed, and what the server says that it wrote.
   * @throws VerificationError if it is not what was sent
   */
  private async recorded(answer: LinkAnswer | null, shown: ChainLink | null): Promise<RecordedLinkItem> {
    const { firstFailure, verifyLink } = await this.reads.rules();
    const { action, avatar, platform, identity, uuid, created_at, extra, sign_payload } = this.state;
    const written = answer?.extra === undefined ? shown : answer;
    const signature_payload = sign_payload ?? shown?.signature_payload ?? '';
    const link = {
      ...{ action, avatar, platform, identity, uuid, created_at, signature: extra.signature, signature_payload },
      proof_location: written?.proof_location ?? '',
      extra: (written?.extra ?? {}) as Record<string, unknown>,
    };
    const hasPlace = action === 'create' && !WALLET_PLATFORMS.includes(platform);
    const failure = firstFailure(verifyLink(link, { avatar }));
    if (failure || (!hasPlace && link.proof_location !== '')) {
      const what = failure?.detail ?? 'It has the location of a post, which nobody sent.';
      refuse('What was recorded', `It is not what was sent (${uuid}). ${what}`);
    }
    return link;
  }

  /** Looks for the uuid from the end of the chain backwards, past what was signed since. */
  private async find(signal: AbortSignal | undefined): Promise<ChainLink | null> {
    const { avatar, uuid, created_at } = this.state;
    const read = (page: number) =>
      this.reads.transport.call<{ pagination: Pagination; proof_chain: ChainLink[] }>({
        path: '/v1/proofchain',
        query: { public_key: avatar, page },
        signal,
      });
    const first = await read(1);
    const { total, per } = first.pagination;
    for (let page = Math.ceil(total / per); page >= 1; page--) {
      const { proof_chain: links } = page === 1 ? first : await read(page);
      const found = links.find((link) => link.uuid === uuid);
      if (found) return found;
      // Times of an old chain may contradict its order, but not on a whole page.
      if (links.every((link) => Number(link.created_at) < Number(created_at) - CLOCK_SPREAD_SECONDS)) return null;
    }
    return null;
  }
}
