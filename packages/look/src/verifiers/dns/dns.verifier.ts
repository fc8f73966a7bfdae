import type { LookSettings } from '../../settings.js';
import { PlatformUnavailableError } from '../../errors.js';
import type { Fetcher } from '../../web/fetcher.js';
import { canonicalDomainName, DOMAIN_NAME_PATTERN } from '../../dns-name.js';
import { readProofRecord, writeProofRecord } from './dns-record.js';
import type { TxtResolver } from './dns-resolvers.js';
import { NO_ADDRESS, txtResolvers } from './dns-resolvers.js';
import type {
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';

/** Records with the uuid of the claim that are tried; more than one is a left-over of an edit. */
const MAX_RECORDS = 20;

/** What one resolver says; an error is one that could not be asked. */
type Opinion = Verdict | PlatformUnavailableError;

/**
 * DNS: a TXT record at the domain itself, in the form of `writeProofRecord`. Who holds the zone holds the name, so
 * records behind an alias or a wildcard count as well. An answer is only as good as the resolver: where two are
 * configured, both must show the record for a create, and both must miss it before it counts as gone.
 */
export class DnsVerifier implements PlatformVerifier {
  readonly platform = 'dns';
  readonly publishes = 'record';
  readonly addresses = { DOH_URLS: '/dns-query' };
  /** No limit is published for the public resolvers. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 50, seconds: 1 } } };
  readonly guide: PlatformGuide = {
    label: 'DNS',
    identityPattern: DOMAIN_NAME_PATTERN,
    identityExample: 'alice.example.org',
    locationForms: [],
    steps: [
      'Ask for a payload with your domain name as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'At your DNS provider, add a TXT record with this text at the domain itself (often written @), without quotes.',
      'Wait until the record can be seen everywhere, usually some minutes; a check that comes too early may delay it.',
      'Submit the proof without proof_location, and keep the record as long as the proof shall stay valid.',
    ],
  };
  private readonly resolvers: TxtResolver[];

  constructor(
    private readonly web: Fetcher,
    private readonly settings: LookSettings,
  ) {
    this.resolvers = txtResolvers(web, settings);
  }

  /** @throws InvalidRequestError (`invalid_identity`) for anything but a public domain name of at least two labels. */
  canonicalIdentity(text: string): string {
    return canonicalDomainName(text);
  }

  postContent(draft: ProofDraft): PostContent {
    return { default: writeProofRecord(draft) };
  }

  missingSetting(): string | null {
    const { DNS_MODE, DNS_SERVERS = [], DOH_URLS } = this.settings;
    if (DNS_MODE === 'doh') return DOH_URLS.length > 0 ? null : 'DOH_URLS must name at least one resolver.';
    return this.web.systemDns?.areAddresses(DNS_SERVERS) ? null : NO_ADDRESS;
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const opinions = await Promise.all(this.resolvers.map((resolver) => opinionOf(resolver, claim)));
    const verdicts = opinions.flatMap((opinion) => (opinion instanceof PlatformUnavailableError ? [] : [opinion]));
    const failure = opinions.find((opinion) => opinion instanceof PlatformUnavailableError);
    const yes = verdicts.find((verdict) => verdict.valid);
    const no = verdicts.find((verdict) => !verdict.valid);
    if (yes && (claim.isRecheck || (!no && !failure))) return yes;
    if (no && !yes && !failure) return no;
    if (failure) throw failure;
    throw new PlatformUnavailableError(
      `The DNS resolvers disagree about the TXT records of ${claim.identity}; a change may be on its way, so try again in some minutes.`,
    );
  }
}

async function opinionOf(resolver: TxtResolver, claim: ProofClaim): Promise<Opinion> {
  try {
    return judge(await resolver(claim.identity), claim);
  } catch (error) {
    if (error instanceof PlatformUnavailableError) return error;
    throw error;
  }
}

/** The uuid says which record is meant; whether it counts is for the signature to say. */
function judge(records: string[], claim: ProofClaim): Verdict {
  const proofs = records.flatMap((raw) => {
    const record = readProofRecord(raw);
    return record ? [{ raw, ...record }] : [];
  });
  const meant = proofs.filter((proof) => proof.uuid === claim.uuid.toLowerCase()).slice(0, MAX_RECORDS);
  let refusal: Verdict | null = null;
  for (const { raw, text } of meant) {
    const url = `dns:${claim.identity}?type=TXT`; // RFC 4501
    const verdict = checkPostedSignature(text, claim, {
      url,
      body: Uint8Array.from(raw, (character) => character.charCodeAt(0)),
    });
    if (verdict.valid) return verdict;
    refusal ??= verdict;
  }
  return refusal ?? invalid(absence(proofs.length, claim));
}

function absence(proofs: number, { identity, uuid }: ProofClaim): string {
  const seen = proofs === 0 ? 'no proof record' : `${proofs} proof record${proofs === 1 ? '' : 's'}, but none`;
  return `The TXT records of ${identity} hold ${seen} with uuid ${uuid}; a new record can take some minutes to be seen.`;
}
