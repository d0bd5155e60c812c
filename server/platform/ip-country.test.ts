import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { mmdbFile } from "#tests/factories/mmdb-file.ts";
import { ConfigError } from "./config.ts";
import { openIpCountry } from "./ip-country.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-geoip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, bytes: Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

const countries = mmdbFile({ 8: "US", 80: "DE", 255: "US" });
const blocking = openIpCountry({
  file: fileOf("countries.mmdb", countries),
  blockedCountries: ["US"],
});

test.each([
  ["8.8.8.8", "US"],
  ["::ffff:8.8.8.8", "US"],
  ["255.1.1.1", "US"],
  ["80.1.2.3", null],
  ["9.9.9.9", null],
  ["127.0.0.1", null],
  ["2001:db8::1", null],
  ["unknown", null],
  ["", null],
])("of %j the blocked country is %s", (address, country) => {
  expect(blocking.findBlocked(address)).toBe(country);
});

test("where an address is, as far as the file knows", () => {
  const find = (address: string | null) => blocking.find(address);
  expect([find("80.1.2.3"), find("9.9.9.9"), find(null)]).toEqual(["DE", null, null]);
});

test("nobody is blocked without a file, or without a country", () => {
  const file = fileOf("same.mmdb", countries);
  expect(openIpCountry(null).findBlocked("8.8.8.8")).toBeNull();
  expect(openIpCountry(null).find("8.8.8.8")).toBeNull();
  expect(openIpCountry({ file, blockedCountries: [] }).findBlocked("8.8.8.8")).toBeNull();
});

test.each([
  ["missing", () => path.join(folder, "nowhere.mmdb")],
  ["empty", () => fileOf("empty.mmdb", Buffer.alloc(0))],
  ["something else", () => fileOf("else.mmdb", Buffer.from("<html>Not found</html>"))],
  ["cut off", () => fileOf("cut.mmdb", countries.subarray(-200))],
])("a file that is %s stops the start with one line that names it", (_, made) => {
  const open = () => openIpCountry({ file: made(), blockedCountries: ["US"] });
  expect(open).toThrow(ConfigError);
  expect(open).toThrow(/^GEOIP_FILE [^\n]+$/);
});
