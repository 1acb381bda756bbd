import { expect, test } from "vitest";
import { addressRule, isPublicAddress } from "./public-address.ts";

test("addresses of private networks, of this machine and of metadata services are told from those of the internet", () => {
  const open = ["1.1.1.1", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::8a"];
  const shut = [
    ..."0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1".split(
      " ",
    ),
    ..."198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 fd12::1 ff02::1 2001:db8::1 2002:7f00:1::".split(
      " ",
    ),
    ..."::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2001:0:7f00:1:: fec0::1".split(
      " ",
    ),
    ..."localhost 127.1 2130706433 0x7f.1".split(" "),
    "",
  ];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(shut.filter(isPublicAddress)).toEqual([]);
});

test("networks that are named are reached, also without encryption; the internet only with it", () => {
  const rule = addressRule(["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);
  expect(rule?.isStrict).toBe(false);
  expect(rule?.allows("10.9.9.9", "http:")).toBe(true);
  expect(rule?.allows("127.0.0.1", "http:")).toBe(true);
  expect(rule?.allows("127.0.0.2", "http:")).toBe(false);
  expect(rule?.allows("fd00::7", "https:")).toBe(true);
  expect(rule?.allows("1.1.1.1", "https:")).toBe(true);
  expect(rule?.allows("1.1.1.1", "http:")).toBe(false);
  expect(rule?.allows("169.254.169.254", "https:")).toBe(false);
  expect(addressRule([])?.allows("127.0.0.1", "https:")).toBe(false);
  for (const bad of ["localhost", "10.0.0.0/33", "10.0.0.0/", "10/8", "*", "::/129", "10.0.0.0/8/8"]) {
    expect(addressRule([bad]), bad).toBeUndefined();
  }
});
