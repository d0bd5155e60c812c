import type { DocumentPurpose } from "#core/people/kyc.ts";

/** What a document is sealed with: it opens as this document, of this customer, for this purpose, and as no other. */
export function documentBinding(document: {
  id: string;
  customerId: string;
  purpose: DocumentPurpose;
}): string {
  return `verification document\n${document.id}\n${document.customerId}\n${document.purpose}`;
}

/** Whether the text is an id at all: PostgreSQL refuses what is not. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
