import type { Locator, Page } from "@playwright/test";

export interface Picture {
  png: Buffer;
  durationMs: number;
  /** Players may begin here. */
  startsChapter: boolean;
}

/** Twelve pictures and a half in a second. */
const frameMs = 80;

export interface Camera {
  pictures: Picture[];
  /** Length of what has been filmed, in milliseconds. */
  lengthMs(): number;
  startChapter(): void;
  /** Shows the page as it is for a while. */
  hold(seconds: number): Promise<void>;
  /** Moves the pointer to the middle of something. */
  point(target: Locator): Promise<void>;
  click(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Scrolls until something stands a little below the page's head. */
  scrollTo(target: Locator): Promise<void>;
}

/**
 * Films a page picture by picture: whatever a machine needs for each, the film runs at an even pace. The pointer
 * is drawn into the page, since screenshots have none.
 */
export function openCamera(page: Page): Camera {
  const pictures: Picture[] = [];
  let starts = true;
  let pointer = { x: 640, y: 420 };
  const shoot = async (durationMs = frameMs) => {
    await page.evaluate(drawPointer, pointer);
    const png = await page.screenshot({ animations: "disabled" });
    pictures.push({ png, durationMs, startsChapter: starts });
    starts = false;
  };
  const point = async (target: Locator) => {
    const box = await target.boundingBox();
    if (!box) throw new Error("nothing to point at");
    const from = pointer;
    const to = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
    for (let step = 1; step <= 8; step++) {
      const part = smooth(step / 8);
      pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await shoot();
    }
    await page.mouse.move(to.x, to.y);
  };
  return {
    pictures,
    point,
    lengthMs: () => pictures.reduce((sum, { durationMs }) => sum + durationMs, 0),
    startChapter: () => {
      starts = true;
    },
    async hold(seconds) {
      // A picture a second at least, so that no player takes it for a fault.
      for (let left = Math.round(seconds * 1000); left > 0; left -= 1000) {
        await shoot(Math.min(left, 1000));
      }
    },
    async click(target) {
      await point(target);
      await target.click();
      await page.waitForTimeout(250);
      await shoot();
    },
    async type(target, text) {
      await point(target);
      await target.click();
      for (let end = 1; end <= text.length; end += Math.ceil(text.length / 8)) {
        await target.fill(text.slice(0, end));
        await shoot();
      }
      await target.fill(text);
      await shoot();
    },
    async scrollTo(target) {
      const from = await page.evaluate(() => window.scrollY);
      const box = await target.boundingBox();
      const to = Math.max(0, from + (box?.y ?? 0) - 150);
      for (let step = 1; step <= 10; step++) {
        await page.evaluate((y) => window.scrollTo(0, y), from + (to - from) * smooth(step / 10));
        await shoot();
      }
    },
  };
}

/** Slow at both ends. */
function smooth(part: number): number {
  return part * part * (3 - 2 * part);
}

/** Runs in the page. */
function drawPointer({ x, y }: { x: number; y: number }): void {
  let pointer = document.querySelector<HTMLElement>("[data-tour-pointer]");
  if (!pointer) {
    pointer = document.createElement("div");
    pointer.dataset["tourPointer"] = "";
    pointer.innerHTML =
      '<svg width="26" height="26" viewBox="0 0 26 26"><path d="M4 2l16 12-7 1 4 8-3.500 1.500-4-8L4 21z" fill="#16181D" stroke="#fff" stroke-width="1.500"/></svg>';
    pointer.style.cssText = "position:fixed;z-index:2147483647;pointer-events:none";
    document.documentElement.append(pointer);
  }
  pointer.style.left = `${x - 4}px`;
  pointer.style.top = `${y - 2}px`;
}
