import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chapters } from "./tour-chapters.ts";

const file = (name: string) => readFileSync(`public/tour/${name}`);

test("the film is a WebM file that a phone can bear", () => {
  const film = file("tour.webm");
  expect(film.subarray(0, 4).toString("hex")).toBe("1a45dfa3");
  expect(film.length).toBeLessThan(2_000_000);
});

test("the captions say what the transcript says, to the second", () => {
  const cues = file("tour.vtt").toString().trim().split("\n\n").slice(1);
  expect(cues.map((cue) => cue.split("\n")[1])).toEqual(chapters.map(({ text }) => text));
  const seconds = chapters.reduce((sum, chapter) => sum + chapter.seconds, 0);
  expect(cues.at(-1)).toContain(`--> 00:00:${seconds}.000`);
});
