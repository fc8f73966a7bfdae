import { cleanPasted } from '@signet/verify/internal';
import { asciiLower, canonicalForm, NAME_PATTERNS } from '@signet/verify/names';
import { type Filled, filled, type KeybaseOptions } from '../options/options.js';
import { InvalidRequestError, PlatformMisconfiguredError, PlatformUnavailableError } from '../errors.js';
import type { Fetcher } from '../web/fetcher.js';
import { RequestBudget } from '../web/web-request.js';
import type {
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  ValidVerdict,
  Verdict,
} from '../platform-verifier.js';
import { invalid } from '../platform-verifier.js';
import { checkProofDocument, namesAvatar, readProofDocument, writeProofDocument } from '../posts/proof-document.js';
import { unusableAnswer } from '../web/unusable-answer.js';

const PROFILE_PAGE = /^(?:(?:https?:\/\/)?keybase\.io\/|keybase:\/\/public\/)([^/?#]+)\/?$/i;
const ACCOUNT_ID = /^[0-9a-f]{1,64}$/;
const MAX_FILE_BYTES = 64 * 1024; // a proof is under 2 KiB
const EXTENSIONS = ['txt', 'json'];
const NO_TEMPLATE = 'KEYBASE_FILE_URL_TEMPLATE (keybase.fileUrl) must name a gateway to the public folders of Keybase.';

/**
 * `user/lookup.json` with `usernames=`; null stands for an unknown name. Every field is optional: we did not write that
 * server.
 */
interface Lookup {
  status?: { code?: number };
  them?: ({ id?: string; basics?: { username?: string } } | null)[];
}

/** A file in the public folder of a user. */
interface PublicFile {
  /** Such as `0x02aa….txt`. */
  name: string;
  url: string;
}

/**
 * Keybase: the signed document of a binding (`sign_payload` and its signature, JSON) as `<compressed key hex>.txt` in
 * the user's public folder. Keybase itself has served no public folders over HTTP since 2023, so the operator names a
 * gateway: a Keybase client with `/keybase/public` mounted behind a file server. The folder being the user's is what
 * proves the account; the signature proves the key.
 */
export class KeybaseVerifier implements PlatformVerifier {
  readonly platform = 'keybase';
  readonly publishes = 'record';
  readonly addresses = {
    fileUrl: '/keybase/{username}/{pubkey}.{ext}',
    probeUrl: '/keybase/probe',
    apiBase: '',
  };
  /** The gateway is the operator's; the file often has its second name. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 10, seconds: 1 } }, requestsPerCheck: 2 };
  readonly guide: PlatformGuide;

  private readonly options: Filled<'keybase'>;

  constructor(
    private readonly web: Fetcher,
    options: KeybaseOptions = {},
  ) {
    this.options = filled('keybase', options);
    this.guide = {
      label: 'Keybase',
      profileUrls: ['https://keybase.io/{identity}'],
      postUrl: 'https://keybase.io/{identity}',
      fileName: '{avatar}.txt',
      identityPattern: NAME_PATTERNS.keybase,
      identityExample: 'alice',
      locationForms: [],
      steps: [
        'Ask for a payload with your Keybase username as identity, and sign sign_payload with your Avatar key.',
        'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
        `Save this text as /keybase/public/<your username>/${this.options.serviceName}/0x<66 hex digits of your compressed Avatar key>.txt.`,
        'Submit the proof without proof_location, and keep the file as long as the proof shall stay valid.',
      ],
    };
  }

  /**
   * Takes the name, `keybase.io/<name>` and `keybase://public/<name>`. Folder names with `@`, `,` or `#` are no
   * usernames.
   */
  canonicalIdentity(text: string): string {
    const name = canonicalForm(this.platform, cleanPasted(text).replace(PROFILE_PAGE, '$1'));
    if (name !== null) return name;
    throw new InvalidRequestError(
      'Not a Keybase username: expected 2 to 16 letters and digits, with single underscores between them.',
      'invalid_identity',
    );
  }

  postContent(draft: ProofDraft): PostContent {
    const comment = `This file binds the Keybase account ${draft.identity} to an Avatar key by the signature over sign_payload.`;
    return { default: writeProofDocument(draft, 'keybase_username', comment) };
  }

  missingSetting(): string | null {
    return this.options.fileUrl ? null : NO_TEMPLATE;
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const budget = new RequestBudget();
    let refused: Verdict | null = null;
    for (const file of this.filesOf(claim)) {
      const body = await this.read(file.url, budget);
      if (!body) continue;
      const verdict = this.judge(file, body, claim);
      if (verdict.valid) return this.confirmAccount(verdict, claim, budget);
      refused ??= verdict;
    }
    if (refused) return refused;
    await this.requireMountedFolders(budget);
    return invalid(`Keybase user "${claim.identity}" has no public file for this Avatar key.`);
  }

  /** The names under which the file may be found, the one of the contract first. */
  private filesOf({ identity, avatar }: ProofClaim): PublicFile[] {
    const template = this.options.fileUrl;
    if (!template) throw new PlatformMisconfiguredError(NO_TEMPLATE);
    const keys = [avatar.compressed, avatar.compressed.slice(2)];
    const files = EXTENSIONS.flatMap((ext) =>
      keys.map((key) => ({
        name: `${key}.${ext}`,
        url: template
          .replaceAll('{username}', encodeURIComponent(identity))
          .replaceAll('{pubkey}', key)
          .replaceAll('{ext}', ext),
      })),
    );
    return files.filter((file, index) => files.findIndex((other) => other.url === file.url) === index); // without {ext} there are two
  }

  /** The bytes of a file, or null if the gateway has none there. */
  private async read(url: string, budget: RequestBudget): Promise<Uint8Array | null> {
    const reply = await this.web.send({
      url,
      trust: 'operator',
      platform: this.platform,
      maxBytes: MAX_FILE_BYTES,
      budget,
    });
    if (reply.status === 404 || reply.status === 410) return null;
    const isPage = reply.headers['content-type']?.toLowerCase().startsWith('text/html'); // of something in front of the gateway
    if (reply.status !== 200 || isPage)
      throw new PlatformUnavailableError(
        'The Keybase gateway gave no usable answer: it has not the form that is documented.',
      );
    return reply.body;
  }

  private judge(file: PublicFile, body: Uint8Array, claim: ProofClaim): Verdict {
    const text = new TextDecoder().decode(body);
    const document = readProofDocument(text);
    if (!document && text.trimStart().startsWith('{')) {
      // Files reach KBFS in pieces, so one that breaks off is no "no".
      throw new PlatformUnavailableError('The public file is not a complete JSON document; check it and try again.');
    }
    if (!document) return invalid('The public file is not the JSON document of the post text.');
    if (document.avatar === null || document.keybaseUsername === null) {
      const what = document.avatar === null ? 'Avatar key' : 'Keybase user';
      throw new PlatformUnavailableError(`The public file names no ${what}; publish the whole text of the proof.`);
    }
    if (!namesAvatar(document, claim)) return invalid('The public file names another Avatar key.');
    if (asciiLower(document.keybaseUsername.trim()) !== claim.identity) {
      return invalid(`The public file names another Keybase user than "${claim.identity}".`);
    }
    // The gateway's own address may be private, so the evidence names the file as Keybase does.
    const url = `keybase://public/${claim.identity}/${this.options.serviceName}/${file.name}`;
    return checkProofDocument(text, claim, { url, body });
  }

  /**
   * A folder that is away looks like one without the file, so "absent" is believed only while the probe file can be
   * read.
   */
  private async requireMountedFolders(budget: RequestBudget): Promise<void> {
    const probe = this.options.probeUrl;
    if (probe && (await this.read(probe, budget))) return;
    throw new PlatformUnavailableError(
      'The Keybase gateway shows no such file, but this server cannot tell whether it sees the public folders now; check the file and try again.',
    );
  }

  /** Adds the stable account id that the API of Keybase returns. */
  private async confirmAccount(verdict: ValidVerdict, claim: ProofClaim, budget: RequestBudget): Promise<Verdict> {
    const base = this.options.apiBase.replace(/\/$/, '');
    const { status, json } = await this.web.sendJson<Lookup>({
      url: `${base}/_/api/1.0/user/lookup.json?usernames=${encodeURIComponent(claim.identity)}&fields=basics`,
      trust: 'operator',
      platform: this.platform,
      budget,
    });
    if (status !== 200 || json?.status?.code !== 0 || !Array.isArray(json.them) || json.them.length !== 1)
      throw unusableAnswer('The Keybase API');
    const [user] = json.them;
    if (user === null) return invalid(`Keybase knows no user "${claim.identity}".`);
    if (typeof user?.id !== 'string' || !ACCOUNT_ID.test(user.id)) throw unusableAnswer('The Keybase API');
    const name = user.basics?.username;
    if (typeof name !== 'string' || asciiLower(name) !== claim.identity) throw unusableAnswer('The Keybase API');
    return { ...verdict, accountId: user.id };
  }
}
