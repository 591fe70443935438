/** Imported ids may be higher, but new ids do not continue from those: soon there would be no higher ones. */
export const maxSequentialId = 2 ** 52;
