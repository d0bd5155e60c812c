import type { DocumentPurpose } from "#core/people/kyc.ts";

/** What a document is sealed with: it opens as this document, of this customer, for this purpose, and as no other. */
export function documentBinding(document: {
  id: string;
  customerId: string;
  purpose: DocumentPurpose;
}): string {
  return `verification document\n${document.id}\n${document.customerId}\n${document.purpose}`;
}
