import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { hashDay, type ProofDay } from "#core/proof/day-digest.ts";
import { addDays } from "#core/utc-day.ts";
import type { KeptProof } from "../proof/check-proof.ts";
import { checkOwnProof } from "./check-own-proof.ts";

afterEach(() => vi.unstubAllGlobals());

const { hold } = JSON.parse(readFileSync("docs/owed-vectors.json", "utf8"));
const none = { BTC: "0", ETH: "0", USDT: "0" };
const customerId: string = hold[0].leaf.customerId;

/** The files of a site: the customer's, and each day that is published, up to the proof's. */
function aSite() {
  const proof = structuredClone(hold[0]);
  const { balance, prepaid } = structuredClone(proof.leaf);
  const account = { customerId, balance, prepaid, moved: { ...none }, bought: { ...none } };
  const days: ProofDay[] = [];
  let previousDigest = "0".repeat(64);
  for (let day = "2026-10-30"; day < proof.day.day; day = addDays(day, 1)) {
    const said = { ...proof.day, day, previousDigest };
    previousDigest = hashDay(said);
    days.push({ ...said, digest: previousDigest });
  }
  Object.assign(proof.day, { previousDigest });
  proof.day.digest = hashDay(proof.day);
  days.push(structuredClone(proof.day));
  return { file: { ...proof, account, wasThere: true }, days };
}
type Site = ReturnType<typeof aSite>;

async function check(kept: KeptProof | null, change: (site: Site) => void = () => {}) {
  const site = aSite();
  change(site);
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, options?: RequestInit) => {
    asked.push(path);
    if (path === "/account/proof.json") return Response.json(site.file);
    // As anybody gets it, and not from before midnight.
    expect(options).toEqual({ credentials: "omit", cache: "no-store" });
    const month = /^\/proof\/(\d{4}-\d{2})\.json$/.exec(path)?.[1] ?? "";
    const days = site.days.filter(({ day }) => day.startsWith(month));
    return days.length > 0 ? Response.json(days) : new Response(null, { status: 404 });
  });
  return { finding: await checkOwnProof(customerId, kept), asked };
}
const keptOf = (day: string): KeptProof => {
  return { day, digest: aSite().days.find((each) => each.day === day)?.digest ?? "" };
};

test.each<[string, KeptProof | null, string[]]>([
  ["is the first", null, ["/proof/2026-11.json"]],
  ["was seen before", keptOf("2026-11-29"), ["/proof/2026-11.json"]],
  ["follows the one of yesterday", keptOf("2026-11-28"), ["/proof/2026-11.json"]],
  ["comes weeks later", keptOf("2026-10-30"), ["/proof/2026-11.json", "/proof/2026-10.json"]],
  ["comes years later", { day: "2020-01-01", digest: "ab".repeat(32) }, ["/proof/2026-11.json"]],
])("all is well with a proof that %s", async (_, kept, files) => {
  const { finding, asked } = await check(kept);
  expect(finding).toMatchObject({ isWrong: false, kept: keptOf("2026-11-29") });
  expect(finding?.words).toMatch(/in the proof of 29 Nov 2026, with .* BTC/);
  expect(asked).toEqual(["/account/proof.json", ...files]);
});

test.each<[string, KeptProof]>([
  ["is another one of the same day", { ...keptOf("2026-11-29"), digest: "ab".repeat(32) }],
  ["follows another one", { ...keptOf("2026-11-28"), digest: "ab".repeat(32) }],
  ["follows another one of weeks ago", { ...keptOf("2026-11-02"), digest: "ab".repeat(32) }],
  ["is older than the last", { day: "2026-11-30", digest: "ab".repeat(32) }],
  ["is older, and of another month", { day: "2026-12-02", digest: "ab".repeat(32) }],
])("a browser that kept a hash sees a proof that %s", async (_, kept) => {
  const { finding } = await check(kept);
  expect(finding).toMatchObject({ isWrong: true, kept });
  expect(finding?.words).toContain("which your browser kept");
});

test.each<[string, (site: Site) => void, RegExp]>([
  [
    "a balance lowered",
    ({ file }) => Object.assign(file.account.balance, { BTC: "9999999" }),
    /BTC that/,
  ],
  [
    "a contract hidden",
    ({ file }) => Object.assign(file.account.prepaid, { ETH: "9".repeat(18) }),
    /ETH paid for/,
  ],
  [
    "another's entry",
    ({ file }) => Object.assign(file, structuredClone(hold[1]), { day: file.day }),
    /Whose/,
  ],
  ["an amount below zero", ({ file }) => Object.assign(file.path[0], { BTC: "-1" }), /invalid/],
  ["what is no hash", ({ file }) => Object.assign(file.path[0], { hash: "ab,cd" }), /invalid/],
  ["no side", ({ file }) => Object.assign(file.path[0], { side: "up" }), /invalid/],
  [
    "another root",
    ({ file }) => Object.assign(file.day, { root: "ab".repeat(32) }),
    /Root of the tree/,
  ],
  [
    "a root of its own",
    ({ days }) => Object.assign(days.at(-1) ?? {}, { digest: "ab".repeat(32) }),
    /Hash of/,
  ],
  ["a day that is not published", ({ days }) => void days.pop(), /no hash of 29 Nov 2026/],
  [
    "no entry",
    ({ file }) => Object.assign(file, { leaf: null, path: [] }),
    /Your account is not in it/,
  ],
])("a browser sees %s", async (_, change, words) => {
  const { finding } = await check(null, change);
  expect(finding).toMatchObject({ isWrong: true, words: expect.stringMatching(words) });
});

test("who came after the tree was made has nothing to check; who was in one before has", async () => {
  const late = ({ file }: Site) =>
    void Object.assign(file, { leaf: null, path: [], wasThere: false });
  expect((await check(null, late)).finding).toEqual({ words: "", isWrong: false, kept: null });
  expect((await check(keptOf("2026-11-28"), late)).finding).toMatchObject({ isWrong: true });
});

async function checkOwnProofOf(file: unknown, kept: KeptProof | null) {
  vi.stubGlobal("fetch", async () => Response.json(file));
  return checkOwnProof(customerId, kept);
}

test("without an answer nothing is said", async () => {
  const answers = async (own: Response, month: () => Response) => {
    vi.stubGlobal("fetch", async (path: string) => (path.startsWith("/account") ? own : month()));
    return checkOwnProof(customerId, null);
  };
  const busy = () => new Response(null, { status: 503 });
  expect(await answers(new Response(null, { status: 429 }), busy)).toBeNull();
  expect(await answers(Response.json(aSite().file), busy)).toBeNull();
  expect(await answers(Response.json(aSite().file), () => new Response("no JSON"))).toBeNull();
  const gone = await checkOwnProofOf(null, keptOf("2026-11-28"));
  expect(gone).toMatchObject({
    isWrong: true,
    words: expect.stringContaining("no proof any more"),
  });
  const nothing = await answers(Response.json(null), busy);
  expect(nothing).toEqual({ words: "", isWrong: false, kept: null });
});
