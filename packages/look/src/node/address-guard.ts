import ipaddr from 'ipaddr.js';

/**
 * Which addresses a user-chosen host may have. Source: IANA special-purpose address registries for IPv4 and IPv6, which
 * `ipaddr.js` knows by range (test/outbound/address-guard.spec.ts goes through them); of IPv6 only this block is
 * assigned to hosts at all.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * RFC 6052: an IPv4 address in the last four bytes, as networks without IPv4 of their own make it up for every IPv4
 * host (DNS64).
 */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * True if `text` is an address of the public internet. Anything else is refused: private, loopback, link-local (cloud
 * metadata), shared, multicast, reserved, documentation and tunnel addresses, an IPv6 zone, and text that is not an
 * address in its usual form.
 *
 * Choice: an address with the NAT64 prefix is judged by the IPv4 address inside; all other embeddings (mapped, 6to4,
 * Teredo) are refused.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublicIpv4(ipaddr.IPv4.parse(text));
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  if (address.zoneId) return false;
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_IPV6) && address.range() === 'unicast';
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast';
}
