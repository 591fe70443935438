export const invalidFileMessages = {
  brokenFile: 'The file is broken or cut off.',
  brokenPdf: 'The PDF is broken and cannot be read.',
  emptyFile: 'The file is empty.',
  encryptedDocument: 'The document needs a password.',
  encryptedPdf: 'The PDF is encrypted.',
  heic: 'Pictures in HEIC and AVIF cannot be read. Save them as JPEG first.',
  macros: 'The document has macros.',
  nestedDocuments: 'The document contains too many documents in each other.',
  noDocument: 'The name says that this is a document, but it is not one that can be read.',
  tooMuch: 'The document contains too much.',
  /** A part may say something about people, or have a program: nobody knows what is in it. */
  unknownPart: 'A part of the file cannot be read, so what it tells about people cannot be removed.',
} as const;

export type InvalidFileCode = keyof typeof invalidFileMessages;

/** The file cannot be cleaned. The message says why in English; the code is for texts in other languages. */
export class InvalidFile extends Error {
  override name = 'InvalidFile';

  constructor(readonly code: InvalidFileCode) {
    super(invalidFileMessages[code]);
  }
}
