import { isPublicAddress } from '../src/node/address-guard.js';

/** First and last addresses of the IANA special-purpose registries, and the forms in which they hide. */
const REFUSED = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255
  169.254.0.1 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.170 192.0.0.255 192.0.2.1
  192.88.99.1 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.9
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::2 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
  64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b:1::1 64:ff9b:1:fffe::8.8.8.8
  100::1 100:0:0:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:20::1 2001:1ff:ffff::1
  2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:808:808::1 3fff::1 3fff:fff::1 5f00::1
  fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 feb0::1 fec0::1 ff02::1 ff0e::1 4000::1 2606:4700::1111%lo
`;

const ALLOWED = `
  1.1.1.1 8.8.8.8 93.184.215.14 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255
  198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2a00:1450:4001:81b::200e 2001:4860:4860::8888 2001:200::1
  2400:cb00::1 64:ff9b::8.8.8.8
`;

const words = (text: string) => text.trim().split(/\s+/);

it.each(words(REFUSED))('refuses %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(words(ALLOWED))('lets %s pass', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  '',
  'localhost',
  '2130706433',
  '0x7f.1',
  '127.1',
  '0177.0.0.1',
  '08.8.8.8',
  '8.8.8.8 ',
  '[::1]',
  '1.1.1.1/24',
  '8.8.8.8:443',
])('refuses %p, which is not an address in its usual form', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});
