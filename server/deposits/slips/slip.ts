/** Slips without a deposit are given up after this long. */
export const draftLifeMs = 24 * 3600 * 1000;
