import ipaddr from 'ipaddr.js';

/**
 * Which addresses a user-chosen host may have. Source: IANA special-purpose address registries for IPv4 and IPv6.
 * `ipaddr.js` knows the special ranges; what it counts as ordinary but is not is listed here.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments, Teredo and ORCHID among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: reaches whatever IPv4 address is inside
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));
const SPECIAL_IPV4 = ['192.0.0.0/24', '192.88.99.0/24'].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * RFC 6052: an IPv4 address in the last four bytes, as networks without IPv4 of their own make it up for every IPv4
 * host (DNS64).
 */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * True if `text` is an address of the public internet. Anything else is refused: private, loopback, link-local (cloud
 * metadata), shared, multicast, reserved, documentation and tunnel addresses, an IPv6 zone, and text that is no address
 * in its usual form.
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
  return (
    address.match(GLOBAL_IPV6) && address.range() === 'unicast' && !SPECIAL_IPV6.some((range) => address.match(range))
  );
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !SPECIAL_IPV4.some((range) => address.match(range));
}
