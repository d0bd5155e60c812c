import { expect, test } from "vitest";
import { listWaiting } from "./list-waiting.ts";
import type { Standing } from "./read-standing.ts";
import { toWork, withoutOwn } from "./work.ts";

const staff: Standing["staff"] = [
  { id: "alan", name: "Alan Turing", role: "approver" },
  { id: "grace", name: "Grace Hopper", role: "approver" },
  { id: "tessa", name: "Tessa Young", role: "treasurer" },
];

const moment = new Date("2026-11-24T10:00:00Z");

/** What a reader is told of adjustments, each given by who may not decide it. */
function lineFor(readerId: string, barred: string[][], people = staff) {
  const reader = people.find(({ id }) => id === readerId) ?? { id: readerId, role: "owner" };
  const parts = barred.map((each) => ({ barred: each, count: 1, things: 1, oldestAt: moment }));
  return listWaiting(reader, [toWork("adjustments", parts)], people)[0];
}

test("what nobody is barred from is for all who may decide it", () => {
  expect(lineFor("alan", [[]])).toMatchObject({ isMine: true, others: ["Grace Hopper"] });
  expect(lineFor("tessa", [[]])).toMatchObject({
    isMine: false,
    others: ["Alan Turing", "Grace Hopper"],
  });
});

test("somebody who proposed all of it is not named as one who decides it", () => {
  const barred = [["grace"]];
  expect(lineFor("alan", barred)).toMatchObject({ isMine: true, isOwn: false, others: [] });
  expect(lineFor("grace", barred)).toMatchObject({
    isMine: false,
    isOwn: true,
    others: ["Alan Turing"],
  });
  expect(lineFor("tessa", barred)).toMatchObject({ others: ["Alan Turing"] });
  const alone = staff.filter(({ id }) => id !== "alan");
  expect(lineFor("tessa", barred, alone)).toMatchObject({ isMine: false, others: [] });
});

test("two who proposed one thing each decide what the other one proposed", () => {
  const barred = [["grace"], ["alan"]];
  expect(lineFor("tessa", barred)?.others).toEqual(["Alan Turing", "Grace Hopper"]);
  expect(lineFor("alan", barred)).toMatchObject({ isMine: true, others: ["Grace Hopper"] });
});

test("of one thing that two have had a say in neither decides", () => {
  const barred = [["alan", "grace"]];
  expect(lineFor("alan", barred)).toMatchObject({ isMine: false, isOwn: true, others: [] });
  expect(lineFor("tessa", barred)?.others).toEqual([]);
});

test("what others proposed is counted from its own oldest", () => {
  const later = new Date("2026-11-24T12:00:00Z");
  const work = toWork("adjustments", [
    { barred: ["alan"], count: 2, things: 2, oldestAt: moment },
    { barred: ["grace"], count: 1, things: 1, oldestAt: later },
  ]);
  expect(work).toMatchObject({ count: 3, oldestAt: moment });
  expect(withoutOwn(work, "alan")).toMatchObject({ count: 1, oldestAt: later });
});
