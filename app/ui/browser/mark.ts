/** The outline of the stamp: a square with its corners cut, as assay offices strike it. */
export const markOutline = "M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2z";
/** An A whose bar is the beam of a balance, hung beyond both legs. */
export const markLetter = "M4.9 11.6 8 4l3.1 7.6M3.9 9h8.2";
/** What a broken mark shows: the crack that voids a stamp. */
export const markCrack = "M9.4 1.2 7 5.6l2.2 2-2.4 3 1.6 4.2";
