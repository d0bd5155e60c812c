import { expect, test } from "vitest";
import { listWaiting } from "./list-waiting.ts";
import type { Standing } from "./read-standing.ts";
import type { Work } from "./work.ts";

const staff: Standing["staff"] = [
  { id: "alan", name: "Alan Turing", role: "approver" },
  { id: "grace", name: "Grace Hopper", role: "approver" },
  { id: "tessa", name: "Tessa Young", role: "treasurer" },
];

function lineFor(readerId: string, barred: Work["barred"], count = 1, people = staff) {
  const reader = people.find(({ id }) => id === readerId) ?? { id: readerId, role: "owner" };
  const oldestAt = new Date("2026-11-24T10:00:00Z");
  const work: Work = { kind: "adjustments", count, barred, things: count, oldestAt };
  return listWaiting(reader, [work], people)[0];
}

test("what nobody is barred from is for all who may decide it", () => {
  expect(lineFor("alan", [])).toMatchObject({ isMine: true, others: ["Grace Hopper"] });
  expect(lineFor("tessa", [])).toMatchObject({
    ...{ isMine: false, others: ["Alan Turing", "Grace Hopper"] },
  });
});

test("somebody who proposed all of it is not named as one who decides it", () => {
  const barred = [{ people: ["grace"], count: 1 }];
  expect(lineFor("alan", barred)).toMatchObject({ isMine: true, isOwn: false, others: [] });
  expect(lineFor("grace", barred)).toMatchObject({
    ...{ isMine: false, isOwn: true, others: ["Alan Turing"] },
  });
  expect(lineFor("tessa", barred)).toMatchObject({ others: ["Alan Turing"] });
  const alone = staff.filter(({ id }) => id !== "alan");
  expect(lineFor("tessa", barred, 1, alone)).toMatchObject({ isMine: false, others: [] });
});

test("two who proposed one thing each decide what the other one proposed", () => {
  const barred = [
    { people: ["grace"], count: 1 },
    { people: ["alan"], count: 1 },
  ];
  expect(lineFor("tessa", barred, 2)?.others).toEqual(["Alan Turing", "Grace Hopper"]);
  expect(lineFor("alan", barred, 2)).toMatchObject({ isMine: true, others: ["Grace Hopper"] });
});

test("of one thing that two have had a say in neither decides", () => {
  const barred = [{ people: ["alan", "grace"], count: 1 }];
  expect(lineFor("alan", barred)).toMatchObject({ isMine: false, isOwn: true, others: [] });
  expect(lineFor("tessa", barred)?.others).toEqual([]);
});
