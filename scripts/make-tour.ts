import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { type Chapter, chapters } from "../app/site/tour-chapters.ts";
import { totpCode, totpStep } from "../server/identity/totp.ts";
import { type DemoToPicture, demoToPicture } from "./demo-to-picture.ts";
import { drawSlip } from "./fill-demo.ts";
import { type Camera, openCamera, type Picture } from "./tour/camera.ts";
import { encodeFilm } from "./tour/encode-film.ts";

/**
 * Films the tour of the product on a demo of its own and puts it into public/tour, with captions and a first
 * picture: `node scripts/make-tour.ts`. What it says and shows stands in app/site/tour-chapters.ts.
 */
const folder = path.resolve(import.meta.dirname, "../public/tour");
const look = { viewport: { width: 1280, height: 720 }, colorScheme: "light" } as const;

async function makeTour(demo: DemoToPicture): Promise<void> {
  const visitor = await openStage(demo);
  const operator = await openStage(demo);
  await signIn(operator.page, "olga@example.com", demo.password);
  const pictures: Picture[] = [];
  let poster: Picture | undefined;
  for (const chapter of chapters) {
    const stage = staff.includes(chapter.scene) ? operator : visitor;
    const from = stage.camera.pictures.length;
    await film(chapter, stage, demo);
    pictures.push(...stage.camera.pictures.slice(from));
    if (chapter.scene === "dashboard") poster = pictures.at(-1);
  }
  write("tour.webp", await sharp(poster?.png).webp({ quality: 80 }).toBuffer());
  write("tour.vtt", captions());
  write("tour.webm", await encodeFilm(demo.browser, `${demo.url}/livez`, pictures));
}

interface Stage {
  page: Page;
  camera: Camera;
}

async function openStage({ browser, url }: DemoToPicture): Promise<Stage> {
  const context = await browser.newContext({ ...look, baseURL: url, reducedMotion: "reduce" });
  const page = await context.newPage();
  return { page, camera: openCamera(page) };
}

/** Films a chapter and shows its last picture until its time is over. */
async function film(chapter: Chapter, stage: Stage, demo: DemoToPicture): Promise<void> {
  const { camera } = stage;
  const from = camera.lengthMs();
  camera.startChapter();
  await scenes[chapter.scene](stage, demo);
  const leftMs = chapter.seconds * 1000 - (camera.lengthMs() - from);
  if (leftMs < 0) throw new Error(`${chapter.scene} takes ${-leftMs} ms more than its caption`);
  await camera.hold(leftMs / 1000);
}

const staff: Chapter["scene"][] = ["review", "approved", "audit"];

const scenes: Record<Chapter["scene"], (stage: Stage, demo: DemoToPicture) => Promise<void>> = {
  async home({ page, camera }) {
    await page.goto("/");
    await page.evaluate(() => document.fonts.ready);
    await camera.hold(1.5);
  },
  async steps({ page, camera }) {
    await camera.scrollTo(page.getByRole("heading", { name: "How a payout becomes a credit" }));
    for (const next of ["The pool pays", "Shares are weighed", "Your share is entered"]) {
      await camera.click(page.getByRole("radio", { name: next }));
      await camera.hold(0.4);
    }
  },
  async deposit({ page, camera }, { password }) {
    await signIn(page, "ada@example.com", password);
    await page.goto("/account/deposit");
    await camera.hold(0.8);
    await camera.click(page.locator("summary").filter({ hasText: "Bitcoin" }));
    await camera.hold(0.8);
    await camera.click(page.getByRole("button", { name: "Copy Bitcoin address" }));
  },
  async slip({ page, camera }) {
    await camera.scrollTo(page.getByRole("heading", { name: "Submit payment slip" }));
    await camera.type(page.getByLabel("Amount"), "$750.00");
    await page.getByLabel("Method", { exact: true }).selectOption("Bitcoin");
    const { name, bytes } = await drawSlip("tour");
    const slip = { name, mimeType: "image/jpeg", buffer: Buffer.from(bytes) };
    await page.locator('input[type="file"]').setInputFiles(slip);
    await camera.click(page.getByRole("button", { name: "Submit for review" }));
    await page.getByText("Successfully saved").waitFor();
  },
  async review({ page, camera }) {
    await page.goto("/operator");
    await camera.hold(0.8);
    const newest = page.locator('a[href^="/operator/deposits/"]').last();
    await camera.click(newest);
    await page.getByRole("heading", { name: "Approve" }).waitFor();
    await camera.hold(0.6);
    await camera.type(page.getByLabel("Quantity received"), "0.0113");
    await camera.type(page.getByLabel("Transaction id"), randomBytes(32).toString("hex"));
  },
  async approved({ page, camera }) {
    await camera.click(page.getByRole("button", { name: "Approve" }));
    const confirm = page.getByRole("button", { name: "Confirm and post" });
    await confirm.waitFor();
    await camera.hold(1);
    await camera.click(confirm);
    await page.getByText("The deposit is approved and credited").first().waitFor();
  },
  async dashboard({ page, camera }) {
    await page.goto("/account/dashboard");
    await camera.hold(1.5);
    await camera.point(page.getByRole("link", { name: "The deposits behind this sum" }));
  },
  async evidence({ page, camera }) {
    await page.goto("/account/transactions");
    await camera.hold(1);
    await camera.click(page.locator('a[href^="/account/evidence/"]').first());
    await page.getByRole("heading", { level: 1 }).waitFor();
  },
  async receipt({ page, camera }) {
    await page.goto("/account/mining");
    await page.getByRole("table").getByRole("link").first().click();
    await page.getByRole("heading", { name: "Days" }).waitFor();
    await page
      .getByRole("link", { name: /^\d{4}-\d{2}-\d{2}$/ })
      .first()
      .click();
    const recompute = page.getByRole("button", { name: "Recompute" });
    await recompute.waitFor();
    await camera.hold(1);
    await camera.scrollTo(recompute);
    await camera.click(recompute);
  },
  async audit({ page, camera }) {
    await page.goto("/operator/audit");
    await camera.hold(1);
  },
};

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(/\/(account\/dashboard|operator|login\/set-up-second-factor)/);
  if (!page.url().includes("set-up-second-factor")) return;
  const secret = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
  const code = totpCode(fromBase32(secret), totpStep(new Date()));
  await page.getByLabel("The six digits that the app shows").fill(code);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.waitForURL(/\/operator\/security/);
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text.replaceAll(" ", "")]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter))
    .map((value) => value.toString(2).padStart(5, "0"))
    .join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** WebVTT, from the same words as the transcript. */
function captions(): string {
  let from = 0;
  const cues = chapters.map(({ seconds, text }) => {
    const cue = `${clock(from)} --> ${clock(from + seconds)}\n${text}`;
    from += seconds;
    return cue;
  });
  return `WEBVTT\n\n${cues.join("\n\n")}\n`;
}

function clock(seconds: number): string {
  const minutes = String(Math.floor(seconds / 60)).padStart(2, "0");
  return `00:${minutes}:${String(seconds % 60).padStart(2, "0")}.000`;
}

function write(name: string, content: Buffer | string): void {
  writeFileSync(path.join(folder, name), content);
  console.log(`public/tour/${name}: ${content.length} bytes`);
}

await demoToPicture(makeTour);
