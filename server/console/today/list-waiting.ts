import type { OperatorRole } from "#core/permissions.ts";
import type { Standing } from "./read-standing.ts";
import {
  mayDecide,
  sayWork,
  type Work,
  type WorkKind,
  withoutOwn,
  workFor,
  workKinds,
} from "./work.ts";

/** A line of what waits, as one person of the staff reads it. */
export interface WaitingLine {
  kind: WorkKind;
  /** "3 deposits to review" */
  says: string;
  to: string;
  oldestAt: Date;
  /** Whether the reader may decide some of it. */
  isMine: boolean;
  /** Whether the reader proposed all of it, so that it waits for somebody else. */
  isOwn: boolean;
  /** Other people who may decide some of it, by name; nobody: it waits until somebody is given a role that may. */
  others: string[];
}

/** What of the work its reader may see: first what is theirs to decide, then the longest first. */
export function listWaiting(
  reader: { id: string; role: OperatorRole },
  work: Work[],
  staff: Standing["staff"],
): WaitingLine[] {
  const lines = workFor(reader.role, work).map((each) => {
    const others = staff.filter((person) => person.id !== reader.id && mayDecide(person, each));
    return {
      kind: each.kind,
      says: sayWork(each),
      to: workKinds[each.kind].to,
      oldestAt: each.oldestAt,
      isMine: mayDecide(reader, each),
      isOwn: withoutOwn(each, reader.id) === null,
      others: others.map(({ name }) => name),
    };
  });
  return lines.sort(
    (a, b) => Number(b.isMine) - Number(a.isMine) || a.oldestAt.getTime() - b.oldestAt.getTime(),
  );
}
