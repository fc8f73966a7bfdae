import type { RootKey } from '@signet/verify/dnssec';
import { NAME_PATTERNS } from '@signet/verify/names';
import { type DnsOptions, type Filled, filled } from '../../options/options.js';
import type { Fetcher } from '../../web/fetcher.js';
import { canonicalDomainName } from '../../dns-name.js';
import { type TxtResolver, verdictOfResolvers } from './dns-opinions.js';
import { writeProofRecord } from './dns-record.js';
import { withDnssecProof } from './dns-chain.js';
import { dnsExchanges, NO_ADDRESS, txtResolvers } from './dns-resolvers.js';
import { NO_ROOT_KEY, rootKeysOf } from './dns-root-keys.js';
import type {
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../../platform-verifier.js';

/**
 * DNS: a TXT record at the domain itself, in the form of `writeProofRecord`. Who holds the zone holds the name, so
 * records behind an alias or a wildcard count as well. An answer is only as good as the resolver: where two are
 * configured, both must show the record for a create, and both must miss it before it counts as gone. Where the zone
 * is signed (DNSSEC), a create is kept with the proof of that, which holds without any resolver.
 */
export class DnsVerifier implements PlatformVerifier {
  readonly platform = 'dns';
  readonly publishes = 'record';
  readonly addresses = { dohUrls: ['/dns-query'] };
  /** No limit is published for the public resolvers. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 50, seconds: 1 } } };
  readonly guide: PlatformGuide = {
    label: 'DNS',
    identityPattern: NAME_PATTERNS.dns,
    identityExample: 'alice.example.org',
    locationForms: [],
    steps: [
      'Ask for a payload with your domain name as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'At your DNS provider, add a TXT record with this text at the domain itself (often written @), without quotes; in a zone file, with quotes around the whole text.',
      'Wait until the record can be seen everywhere, usually some minutes; a check that comes too early may delay it.',
      'Submit the proof without proof_location, and keep the record as long as the proof shall stay valid.',
    ],
  };
  private readonly resolvers: TxtResolver[];
  private readonly rootKeys: readonly RootKey[];

  private readonly options: Filled<'dns'>;

  constructor(
    private readonly web: Fetcher,
    options: DnsOptions = {},
  ) {
    this.options = filled('dns', options);
    this.resolvers = txtResolvers(web, this.options);
    this.rootKeys = rootKeysOf(this.options) ?? [];
  }

  /** @throws InvalidRequestError (`invalid_identity`) for anything but a public domain name of at least two labels. */
  canonicalIdentity(text: string): string {
    return canonicalDomainName(text);
  }

  postContent(draft: ProofDraft): PostContent {
    return { default: writeProofRecord(draft) };
  }

  missingSetting(): string | null {
    const { mode, servers = [], dohUrls } = this.options;
    if (!rootKeysOf(this.options)) return NO_ROOT_KEY;
    if (mode === 'doh') return dohUrls.length > 0 ? null : 'DOH_URLS (dns.dohUrls) must name at least one resolver.';
    return this.web.systemDns?.areAddresses(servers) ? null : NO_ADDRESS;
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const verdict = await verdictOfResolvers(this.resolvers, claim);
    const at = Math.floor(Date.now() / 1000);
    return withDnssecProof(verdict, claim, dnsExchanges(this.web, this.options), { at, rootKeys: this.rootKeys });
  }
}
