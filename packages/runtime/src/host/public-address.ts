import { BlockList, isIP } from "node:net";

/** Everything that is not the public internet: ourselves, the local network, cloud metadata, what is reserved. */
const V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Metadata services outside the link-local range.
  ["168.63.129.16", 32],
  ["100.100.100.200", 32],
];

/** In IPv6 only 2000::/3 is public, and in it these are not; some carry an IPv4 address of any kind. */
const V6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const blocked = new BlockList();
for (const [address, prefix] of V4) blocked.addSubnet(address, prefix, "ipv4");
for (const [address, prefix] of V6) blocked.addSubnet(address, prefix, "ipv6");
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/** Whether an address belongs to the public internet. What is no address does not. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, "ipv4");
    case 6:
      // A zone names an interface of this machine.
      return !address.includes("%") && global6.check(address, "ipv6") && !blocked.check(address, "ipv6");
    default:
      return false;
  }
}
