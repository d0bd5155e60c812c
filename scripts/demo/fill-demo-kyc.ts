import { type DocumentPurpose, neededDocuments } from "../../core/people/kyc.ts";
import type { App } from "../../server/app-context.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { approveKyc } from "../../server/kyc/approve-kyc.ts";
import { askSecondReview } from "../../server/kyc/ask-second-review.ts";
import { type CheckedItem, checklistFor } from "../../server/kyc/checklist.ts";
import { chooseIdentity } from "../../server/kyc/choose-identity.ts";
import { chooseSecondProof } from "../../server/kyc/choose-second-proof.ts";
import { declineKyc } from "../../server/kyc/decline-kyc.ts";
import { keepDocument } from "../../server/kyc/keep-document.ts";
import { listSubmittedDocuments } from "../../server/kyc/list-documents.ts";
import { type PersonalDetails, saveDetails } from "../../server/kyc/save-details.ts";
import { submitKyc } from "../../server/kyc/submit-kyc.ts";
import { viewDocument } from "../../server/kyc/view-document.ts";
import { demoBrowser, drawPaper } from "./demo-people.ts";
import type { DemoDays, DemoEvent } from "./demo-timeline.ts";

const kinds = { identityKind: "passport", secondProof: "selfie" } as const;

const details: PersonalDetails = {
  legalName: "An Invented Person",
  dateOfBirth: "1988-04-12",
  addressLine: "1 Example Street",
  addressLine2: null,
  postalCode: "00001",
  city: "Nowhere",
  region: null,
};

/** Of each state of a verification one customer: approved, declined, waiting, waiting for two verifiers, begun. */
export function kycEvents({
  app,
  days,
  olga,
  idOf,
}: {
  app: App;
  days: DemoDays;
  olga: Operator;
  idOf(email: string): string;
}): DemoEvent[] {
  const { db } = app;
  const sent = new Map<string, string>();
  const who = (name: string) => idOf(`${name}@example.com`);
  const submits = (name: string, legalName: string) => async (at: Date) => {
    await fillIn(app, who(name), legalName, at);
    const customer = { customerId: who(name), ...demoBrowser };
    sent.set(name, (await submitKyc(app, customer, at)).submissionId);
  };
  const of = (name: string) => sent.get(name) ?? "";
  return [
    { at: days.at(39, "14:00"), happen: submits("nadia", "Nadia Rahman") },
    {
      at: days.at(38, "10:00"),
      async happen(at) {
        const submissionId = of("nadia");
        for (const { id } of await listSubmittedDocuments(db, submissionId)) {
          await viewDocument(app, olga, { submissionId, documentId: id }, at);
        }
        await approveKyc(app, olga, { submissionId, checklist: allYes() }, at);
      },
    },
    { at: days.at(22, "17:30"), happen: submits("tomas", "Tomas Novak") },
    {
      at: days.at(21, "09:15"),
      async happen(at) {
        const reasons = {
          "identity-front": "Demo: the lower edge is missing. Please take the picture again.",
        };
        const declined = { submissionId: of("tomas"), checklist: notWhole(), reasons };
        await declineKyc(app, olga, declined, at);
      },
    },
    { at: days.at(4, "18:20"), happen: submits("liam", "Liam Byrne") },
    {
      at: days.at(3, "11:00"),
      async happen(at) {
        const reason = "Demo: the picture is blurred, a second pair of eyes should look.";
        await askSecondReview(db, olga, { submissionId: of("liam"), reason }, at);
      },
    },
    { at: days.at(1, "19:45"), happen: submits("kofi", "Kofi Mensah") },
    {
      at: days.at(2, "20:05"),
      happen: (at) => saveDetails(db, who("ines"), { ...details, legalName: "Ines Costa" }, at),
    },
  ];
}

async function fillIn(app: App, customerId: string, legalName: string, now: Date): Promise<void> {
  const { identityKind: kind, secondProof } = kinds;
  await saveDetails(app.db, customerId, { ...details, legalName }, now);
  await chooseIdentity(app.db, customerId, { kind, expiresOn: null }, now);
  await chooseSecondProof(app.db, customerId, secondProof, now);
  for (const purpose of neededDocuments(kind, secondProof)) {
    await upload(app, { customerId, purpose }, now);
  }
}

async function upload(
  app: App,
  { customerId, purpose }: { customerId: string; purpose: DocumentPurpose },
  now: Date,
): Promise<void> {
  const file = { name: `${purpose}.jpg`, bytes: await drawPaper(`${customerId} ${purpose}`) };
  await keepDocument(app, { customerId, purpose, file, ...demoBrowser }, now);
}

function allYes(): CheckedItem[] {
  return checklistFor(kinds).map(({ item }) => ({ item, yes: true, note: "" }));
}

function notWhole(): CheckedItem[] {
  return allYes().map((each) =>
    each.item === "document-whole" ? { ...each, yes: false, note: "Demo: cut off" } : each,
  );
}
